/** Searches settings that save most calls and stop hardly any run that would have reached its goal. Pure. */
import type { RecordedRun, Step } from '../../recordings/index.ts'
import { medianOf, policyFigures } from '../replay/figures.ts'
import { watcherOf, type StopPolicy } from '../replay/policy.ts'
import { replayRun } from '../replay/replayed-run.ts'

/** A setting, and what may be tried for it. Null switches it off. */
export interface Dial {
  readonly key: string
  readonly values: readonly (number | null)[]
}

/** By the key of the dial; what is not named stays as it is. */
export type Choice = Readonly<Record<string, number | null>>

export interface Tuning {
  readonly choice: Choice
  /** Policies replayed. */
  readonly tried: number
  /** On the runs that were searched. */
  readonly before: Merit
  readonly after: Merit
}

/** What a choice is judged by. Shares are of 1. */
export interface Merit {
  /** Of the runs that reached their goal, those ended before. */
  readonly falseStops: number
  /** Of the calls of the others, those saved. */
  readonly saved: number
}

export interface TuneRequest {
  readonly runs: readonly { readonly run: RecordedRun; readonly steps: readonly Step[] }[]
  readonly dials: readonly Dial[]
  /** Share of 1 of the runs that reached their goal. */
  readonly maxFalseStops: number
  /** Undefined: these settings contradict each other. */
  readonly policyOf: (choice: Choice) => StopPolicy | undefined
  readonly onTried?: (tried: number) => void
}

/** Rounds over all dials; the second hardly ever finds more. */
const maxRounds = 3

/**
 * One dial after the other, each where it serves best, until a round changes nothing. What is equally good stays as it is, so
 * nothing is changed without a gain.
 */
export function tune(options: TuneRequest): Tuning {
  const { dials, policyOf, maxFalseStops, onTried } = options
  const known = new Map<string, Merit | undefined>()
  const meritOf = (choice: Choice): Merit | undefined => {
    const policy = policyOf(choice)
    const key = JSON.stringify(policy)
    if (policy === undefined || known.has(key)) return known.get(key)
    const merit = measured(policy, options.runs)
    known.set(key, merit)
    onTried?.(known.size)
    return merit
  }
  const before = meritOf({}) ?? { falseStops: 0, saved: 0 }
  let best: { readonly choice: Choice; readonly merit: Merit } = { choice: {}, merit: before }
  for (let round = 0; round < maxRounds; round += 1) {
    const atFirst = best
    for (const { key, values } of dials)
      for (const value of values) {
        const choice = { ...best.choice, [key]: value }
        const merit = meritOf(choice)
        if (merit !== undefined && isBetter(merit, best.merit, maxFalseStops)) best = { choice, merit }
      }
    if (best === atFirst) break
  }
  return { choice: best.choice, tried: known.size, before, after: best.merit }
}

/** Within the bound more savings are better, beyond it fewer false stops. */
export function isBetter(one: Merit, other: Merit, maxFalseStops: number): boolean {
  const [oneHolds, otherHolds] = [one.falseStops <= maxFalseStops, other.falseStops <= maxFalseStops]
  if (oneHolds !== otherHolds) return oneHolds
  return oneHolds ? one.saved > other.saved : one.falseStops < other.falseStops
}

function measured(policy: StopPolicy, runs: TuneRequest['runs']): Merit {
  const watchers = [watcherOf(policy)]
  const replayed = runs.map(({ run, steps }) => replayRun(run, steps, watchers))
  const { killedShare, calls } = policyFigures(replayed, policy.name)
  return { falseStops: killedShare ?? 0, saved: calls.share ?? 0 }
}

/** What may be tuned, by the keys of the configuration, and the values that are tried. */
const loopDials: readonly Dial[] = [
  { key: 'loopDetection.vetoesUntilEnd', values: [0, 1, 2, 3, 5] },
  { key: 'loopDetection.cycleRepeats', values: [3, 4, 5, 6] },
  { key: 'loopDetection.sameFailureThreshold', values: [3, 4, 5, 6, 8] },
  { key: 'loopDetection.repeatedReplyThreshold', values: [3, 4, 6] },
  { key: 'loopDetection.criticalThreshold', values: [12, 15, 20, 30] },
  { key: 'loopDetection.globalCircuitBreakerThreshold', values: [20, 30, 40, 60] },
  { key: 'loopDetection.warmUpCalls', values: [0, 3, 5, 10] },
]

const progressDials: readonly Dial[] = [
  { key: 'stagnation.patienceVerifications', values: [3, 4, 6, 8, 12] },
  { key: 'stagnation.changesPerClaim', values: [1, 3, 5] },
]

/** Stagnation is left out where no run was checked, and the cap on turns is tried around what successful runs took. */
export function dialsFor(runs: TuneRequest['runs']): readonly Dial[] {
  const isChecked = runs.some(({ run }) =>
    run.turns.some(({ checked, reward }) => checked !== undefined || reward != null),
  )
  const turns = runs.flatMap(({ run }) => (run.outcome.resolved === true ? [run.turns.length] : []))
  const most = Math.max(0, ...turns)
  const usual = medianOf(turns) ?? 0
  const caps = [most, Math.ceil(most * 1.2), Math.ceil(most * 1.5), usual * 3, usual * 5]
  return [
    ...loopDials,
    ...(isChecked ? progressDials : []),
    ...(turns.length === 0 ? [] : [{ key: 'maxTurns', values: [null, ...new Set(caps)] }]),
  ]
}
