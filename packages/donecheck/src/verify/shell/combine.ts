import {
  enclosed,
  hasCheck,
  lose,
  nothing,
  recalledWithout,
  settled,
  statusOf,
  toldBy,
  underCondition,
  without,
  type Effect,
} from './effect.ts'

/** `first && second` */
export function both(first: Effect, last: Effect): Effect {
  if (first.isEnd) return unreached(first, last)
  const second = recalledWithout(last, statusOf(first))
  const then = hasCheck(toldBy(first)) ? second : { ...second, fatal: underCondition(second).fatal }
  const turned =
    second.exit === 'nonzero'
      ? { told: first.inverted, lost: [] }
      : { told: [], lost: lose(first.inverted, 'negation', 'is turned into a success by "!"') }
  return settled({
    exit: first.exit === 'zero' ? second.exit : second.exit === 'nonzero' ? 'nonzero' : laterExit(first),
    isEnd: first.exit === 'zero' && second.isEnd,
    carried: [...second.carried, ...(second.isEnd ? [] : turned.told)],
    quiet: [...statusOf(first), ...second.quiet],
    fatal: [...first.fatal, ...then.fatal, ...(second.isEnd ? turned.told : [])],
    inverted: second.inverted,
    held: [...first.held, ...second.held],
    lost: [...first.lost, ...second.lost, ...turned.lost],
    canEndWell: first.canEndWell || second.canEndWell,
  })
}

function laterExit(first: Effect): Effect['exit'] {
  return first.exit === 'nonzero' ? 'nonzero' : 'either'
}

/** `first || second`; `shown` is the second as it is written. */
export function either(first: Effect, last: Effect, shown: string): Effect {
  if (first.isEnd || first.exit === 'zero') return unreached(first, last)
  const second = recalledWithout(last, statusOf(first))
  const isStillFailure = second.exit === 'nonzero'
  const status = without(statusOf(first), second)
  const rest = hasCheck(statusOf(first)) ? second : underCondition(second)
  const lost = isStillFailure
    ? []
    : second.exit === 'zero'
      ? lose(status, 'or', `is turned into a success by "|| ${shown}"`)
      : lose(
          status.filter(({ kind }) => kind === 'check'),
          'or',
          `is forgotten when what follows "||" succeeds`,
        )
  return settled({
    exit: first.exit === 'nonzero' ? second.exit : second.exit === 'zero' ? 'zero' : 'either',
    isEnd: first.exit === 'nonzero' && second.isEnd,
    carried: [...(isStillFailure && !second.isEnd ? status : []), ...rest.carried],
    quiet: rest.quiet,
    fatal: [...first.fatal, ...(isStillFailure && second.isEnd ? status : []), ...rest.fatal],
    inverted: first.inverted,
    held: [...first.held, ...rest.held],
    lost: [...first.lost, ...second.lost, ...lost],
    canEndWell: first.canEndWell || second.canEndWell,
  })
}

/** `if condition; then yes; else no; fi` */
export function branch(condition: Effect, thenBody: Effect, elseBody: Effect): Effect {
  const yes = elseBody.exit === 'nonzero' ? thenBody : recalledWithout(thenBody, toldBy(elseBody))
  const no = thenBody.exit === 'nonzero' ? elseBody : recalledWithout(elseBody, toldBy(thenBody))
  const onFailure = landing(no)
  const onSuccess = landing(yes)
  const [thenPart, elsePart] = [
    isSafeBeside(no) ? yes : underCondition(yes),
    isSafeBeside(yes) ? no : underCondition(no),
  ]
  const failed = without(without(statusOf(condition), yes), no)
  const succeeded = without(without(condition.inverted, yes), no)
  return settled({
    exit: yes.exit === no.exit ? yes.exit : 'either',
    isEnd: yes.isEnd && no.isEnd,
    carried: [
      ...(onFailure === 'failure' ? failed : []),
      ...(onSuccess === 'failure' ? succeeded : []),
      ...thenPart.carried,
      ...elsePart.carried,
    ],
    quiet: [...thenPart.quiet, ...elsePart.quiet],
    fatal: [
      ...condition.fatal,
      ...(onFailure === 'end' ? failed : []),
      ...(onSuccess === 'end' ? succeeded : []),
      ...thenPart.fatal,
      ...elsePart.fatal,
    ],
    inverted: [...thenPart.inverted, ...elsePart.inverted],
    held: [...condition.held, ...yes.held, ...no.held],
    lost: [
      ...condition.lost,
      ...yes.lost,
      ...no.lost,
      ...(onFailure === 'success' ? lose(failed, 'branch', 'only chooses a branch') : []),
      ...(onSuccess === 'success' ? lose(succeeded, 'branch', 'only chooses a branch') : []),
    ],
    canEndWell: condition.canEndWell || yes.canEndWell || no.canEndWell,
  })
}

/** Where a failure ends that leads to this part. */
function landing(part: Effect): 'success' | 'failure' | 'end' {
  if (part.exit !== 'nonzero') return 'success'
  return part.isEnd ? 'end' : 'failure'
}

/** Going the other way is no way around a check. */
function isSafeBeside(other: Effect): boolean {
  return other.exit === 'nonzero' || hasCheck(toldBy(other))
}

/** `! part` */
export function negated(part: Effect): Effect {
  if (part.isEnd) return part
  return {
    ...part,
    exit: part.exit === 'either' ? 'either' : part.exit === 'zero' ? 'nonzero' : 'zero',
    carried: [],
    quiet: part.inverted,
    inverted: statusOf(part),
  }
}

/** `first | second`: without `pipefail` only the last part is heard. */
export function piped(first: Effect, second: Effect, pipefail: boolean): Effect {
  const [from, into] = [enclosed(first), enclosed(second)]
  const kept = pipefail ? from.carried : []
  const lost = pipefail
    ? []
    : lose(
        from.carried.filter(({ kind }) => kind !== 'setup'),
        'pipe',
        'is lost in the pipe, which answers for its last part alone',
      )
  const negations = lose(from.inverted, 'negation', 'is turned into a success by "!"')
  return {
    ...into,
    exit: pipefail && into.exit === 'zero' && from.exit !== 'zero' ? from.exit : into.exit,
    carried: [...kept, ...into.carried],
    held: [...from.held, ...into.held],
    lost: [...from.lost, ...into.lost, ...lost, ...negations],
  }
}

/** What stands behind the end is never run. */
function unreached(first: Effect, never: Effect): Effect {
  const unheard = [
    ...toldBy(never),
    ...never.inverted,
    ...never.held,
    ...never.lost.map(({ check }) => check),
  ]
  const lost = lose(unheard, 'unreached', 'cannot happen: it is never reached')
  return { ...first, lost: [...first.lost, ...lost] }
}

/** What runs after `first`, whatever became of it; under `set -e` a failure that it sees ends the shell. */
export function followed(first: Effect, second: Effect, errexit: boolean): Effect {
  if (first.isEnd) return unreached(first, second)
  const stopped = errexit ? first.carried : []
  const dropped = without(errexit ? first.quiet : statusOf(first), second)
  const turned = without(first.inverted, second)
  // Where the end is a failure in any case, it is one after a failure too.
  const isFailure = second.exit === 'nonzero'
  const told = isFailure ? [...dropped, ...turned] : []
  const lost = isFailure
    ? []
    : [
        ...lose(dropped, 'sequence', 'is forgotten by what runs after it'),
        ...lose(turned, 'negation', 'is turned into a success by "!"'),
      ]
  return settled({
    ...second,
    carried: [...(second.isEnd ? [] : told), ...second.carried],
    fatal: [...first.fatal, ...stopped, ...(second.isEnd ? told : []), ...second.fatal],
    held: [...first.held, ...second.held],
    lost: [...first.lost, ...second.lost, ...lost],
    canEndWell: first.canEndWell || second.canEndWell,
  })
}

/** The body of a loop: of its rounds only the last one is heard, and there may be none. */
export function looped(body: Effect, errexit: boolean): Effect {
  const [status, how] = [errexit ? body.quiet : statusOf(body), 'is forgotten by the next round of the loop']
  return {
    ...body,
    exit: 'either',
    isEnd: false,
    carried: status.filter(({ kind }) => kind !== 'check'),
    quiet: [],
    fatal: [...body.fatal, ...(errexit ? body.carried : [])],
    inverted: [],
    lost: [
      ...body.lost,
      ...lose(
        status.filter(({ kind }) => kind === 'check'),
        'sequence',
        how,
      ),
      ...lose(body.inverted, 'negation', 'is turned into a success by "!"'),
    ],
  }
}

/** What is asked before every round of a loop until it answers otherwise. */
export function awaited(condition: Effect, rounds: Effect): Effect {
  const asked = [...statusOf(condition), ...condition.inverted]
  return settled({
    ...rounds,
    fatal: [...condition.fatal, ...rounds.fatal],
    held: [...condition.held, ...rounds.held],
    lost: [
      ...condition.lost,
      ...rounds.lost,
      ...lose(
        asked.filter(({ kind }) => kind === 'check'),
        'branch',
        'only decides how often a loop goes round',
      ),
    ],
    canEndWell: condition.canEndWell || rounds.canEndWell,
  })
}

/** One of several branches. */
export function oneOf(branches: readonly Effect[], isComplete: boolean): Effect {
  const [first, ...rest] = branches
  if (first === undefined) return nothing
  const chosen: Effect = rest.reduce((no, yes) => branch(nothing, yes, no), first)
  return isComplete
    ? chosen
    : { ...branch(nothing, chosen, nothing), exit: chosen.exit === 'zero' ? 'zero' : 'either' }
}
