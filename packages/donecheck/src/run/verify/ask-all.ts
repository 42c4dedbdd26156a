import { inOrderOfYield, isDecided, type Ballot, type CheckHistory } from '../../core/index.ts'
import type { Verdict } from '../../events/index.ts'
import type { Verifier } from '../../ports.ts'
import type { World } from '../world.ts'
import { askOne, type Asked, type Round } from './ask-one.ts'
import { leftOut } from './undecided.ts'

/**
 * Asks several at a time, in the order of their yield, judges after all others. Once the policy is lost whatever the rest
 * says, the rest is broken off and left out, with words. Before the first turn everything is asked to its end, for that is
 * what is compared with later; and of held-out checks the number is wanted.
 */
export async function askAll(
  verifiers: readonly Verifier[],
  round: Round,
  record: (asked: Asked) => Promise<void>,
): Promise<void> {
  const { world, trigger } = round
  const veto = new AbortController()
  const signal = AbortSignal.any([world.signal, veto.signal])
  const known: Ballot[] = []
  let lostBy = ''
  const ask = async (verifier: Verifier): Promise<void> => {
    const given = signal.aborted ? undefined : await askOne(verifier, round, signal)
    if (world.signal.aborted) return
    const asked =
      given === undefined || isCutShort(given, veto.signal) ? cutShort(verifier, round, lostBy) : given
    await record(asked)
    known.push(ballotOf(verifier, asked.verdict))
    if (veto.signal.aborted || trigger === 'baseline' || trigger === 'held-out') return
    const names = known.map(({ verdict }) => verdict.verifier)
    const out = verifiers.filter(({ description }) => !names.includes(description.name))
    if (
      !isDecided(
        world.checking.policy,
        known,
        out.map((each) => ballotOf(each, asked.verdict)),
      )
    )
      return
    lostBy = asked.verdict.verifier
    veto.abort()
  }
  const ordered = await inOrder(verifiers, world)
  for (const deterministic of [true, false]) {
    const group = ordered.filter(({ description }) => description.deterministic === deterministic)
    await inParallel(group, world.checking.maxParallel, ask)
  }
}

async function inOrder(verifiers: readonly Verifier[], world: World): Promise<readonly Verifier[]> {
  const history = await historyOf(world)
  const named = verifiers.map((verifier) => ({ ...verifier.description, verifier }))
  return inOrderOfYield(named, history).map(({ verifier }) => verifier)
}

/** What cannot be read is not known. */
async function historyOf({ checking }: World): Promise<ReadonlyMap<string, CheckHistory>> {
  try {
    const yields = (await checking.verdicts?.yields()) ?? []
    return new Map(yields.map((each) => [each.verifier, each]))
  } catch {
    return new Map()
  }
}

/** At most so many at a time, begun in their order; an exclusive one is alone. */
async function inParallel(
  verifiers: readonly Verifier[],
  most: number,
  ask: (verifier: Verifier) => Promise<void>,
): Promise<void> {
  const waiting = [...verifiers]
  const running = new Map<Verifier, Promise<void>>()
  const hasRoom = (next: Verifier) => {
    const isAlone = [next, ...running.keys()].some(({ exclusive }) => exclusive === true)
    return running.size === 0 || (!isAlone && running.size < most)
  }
  while (waiting.length > 0 || running.size > 0) {
    const [next] = waiting
    if (next !== undefined && hasRoom(next)) {
      waiting.shift()
      running.set(
        next,
        ask(next).finally(() => running.delete(next)),
      )
    } else await Promise.race(running.values())
  }
}

/** It was broken off by the veto; one that answered all the same is heard. */
function isCutShort({ verdict }: Asked, veto: AbortSignal): boolean {
  return veto.aborted && verdict.status === 'error'
}

function cutShort({ description }: Verifier, { session }: Round, lostBy: string): Asked {
  const fingerprint = session.state.workspace.current
  const report = leftOut(`not asked to its end: ${lostBy} has decided already`)
  const verdict: Verdict = {
    ...report,
    verifier: description.name,
    durationMs: 0,
    ...(fingerprint === undefined ? {} : { fingerprint }),
  }
  return { verdict, attachments: [], key: undefined }
}

function ballotOf({ description }: Verifier, verdict: Verdict): Ballot {
  const { name, required, weight, deterministic } = description
  return { verdict: { ...verdict, verifier: name }, required, weight, deterministic }
}
