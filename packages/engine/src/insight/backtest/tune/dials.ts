/** What may be tuned, by the keys of the configuration, and the values that are tried. */
import { medianOf } from '../replay/figures.ts'
import type { TuneRequest, Dial } from './tune.ts'

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
