/**
 * What an exit code tells of the checks behind it. A shell line is read from the inside out: every part has an effect,
 * and the effect of the whole says which failures still show and which are lost on the way.
 */

/** One program that the line runs. */
export interface Check {
  /** As it is written. */
  readonly text: string
  /** `check`: may be what the line is for. `condition`: asks something. `setup`: prepares or shows something. */
  readonly kind: 'check' | 'condition' | 'setup'
  /** A runner of tests, a linter, a compiler: certainly a check. */
  readonly isKnown: boolean
  /** False: it runs under a condition only. */
  readonly isAlwaysRun: boolean
  /** Its exit code is asked for by a later part: `$?`, or a variable that holds it. */
  readonly isRecalled?: boolean
  /** The program as it was found; the same in every copy of this check. */
  readonly origin: object
}

export type LossCause =
  'or' | 'sequence' | 'pipe' | 'background' | 'negation' | 'branch' | 'option' | 'unreached' | 'function'

/** A failure that the exit code does not show. */
export interface Loss {
  readonly check: Check
  readonly cause: LossCause
  /** What becomes of the failure, as the end of a sentence about it. */
  readonly how: string
}

export interface Effect {
  /** Exit codes that the part can have, whatever happens. */
  readonly exit: 'zero' | 'nonzero' | 'either'
  /** The shell ends here. */
  readonly isEnd: boolean
  /** Some way through it ends the shell with success. */
  readonly canEndWell: boolean
  /** Their failure is the failure of the part. */
  readonly carried: readonly Check[]
  /** Likewise, but `set -e` does not see it. */
  readonly quiet: readonly Check[]
  /** Their failure ends the shell with a failure. */
  readonly fatal: readonly Check[]
  /** Their failure is the success of the part. */
  readonly inverted: readonly Check[]
  /** Their exit code is kept in a variable, and may still be asked for. */
  readonly held: readonly Check[]
  readonly lost: readonly Loss[]
}

export const nothing: Effect = {
  exit: 'zero',
  isEnd: false,
  canEndWell: false,
  carried: [],
  quiet: [],
  fatal: [],
  inverted: [],
  held: [],
  lost: [],
}

/** Checks whose failure makes this part fail, in any way. */
export function toldBy({ carried, quiet, fatal }: Effect): readonly Check[] {
  return [...carried, ...quiet, ...fatal]
}

/** Checks whose failure stands in the status of this part when the next one begins. */
export function statusOf({ carried, quiet }: Effect): readonly Check[] {
  return [...carried, ...quiet]
}

export function lose(checks: readonly Check[], cause: LossCause, how: string): readonly Loss[] {
  return checks.map((check) => ({ check, cause, how }))
}

export function hasCheck(checks: readonly Check[]): boolean {
  return checks.some(({ kind }) => kind === 'check')
}

/** The same checks, where it is not certain that they are run. */
export function underCondition(effect: Effect): Effect {
  const mark = (checks: readonly Check[]) => checks.map((check) => ({ ...check, isAlwaysRun: false }))
  return {
    ...effect,
    carried: mark(effect.carried),
    quiet: mark(effect.quiet),
    fatal: mark(effect.fatal),
    inverted: mark(effect.inverted),
  }
}

/** Of the checks that are asked for again, those that another part does not ask for as well: on one way only. */
export function recalledWithout(effect: Effect, others: readonly Check[]): Effect {
  const known = new Set(others.map(({ origin }) => origin))
  const mark = (checks: readonly Check[]) =>
    checks.map((check) =>
      check.isRecalled === true && !known.has(check.origin) ? { ...check, isAlwaysRun: false } : check,
    )
  return {
    ...effect,
    carried: mark(effect.carried),
    quiet: mark(effect.quiet),
    fatal: mark(effect.fatal),
    inverted: mark(effect.inverted),
  }
}

/** A way out with success makes the exit code of the whole uncertain. */
export function settled(effect: Effect): Effect {
  return effect.canEndWell && effect.exit === 'nonzero' ? { ...effect, exit: 'either' } : effect
}

/** Behind the walls of a subshell: its end is not the end of the shell around it. */
export function enclosed(effect: Effect): Effect {
  return {
    ...settled(effect),
    isEnd: false,
    canEndWell: false,
    carried: toldBy(effect),
    quiet: [],
    fatal: [],
  }
}

/** Those of the checks that the effect does not surely go on telling. */
export function without(checks: readonly Check[], effect: Effect): readonly Check[] {
  const living = new Set(
    [...toldBy(effect), ...effect.inverted, ...effect.held].flatMap(({ origin, isAlwaysRun }) =>
      isAlwaysRun ? [origin] : [],
    ),
  )
  return checks.filter(({ origin }) => !living.has(origin))
}
