/** What is kept of a run after every detector went over it: facts for the figures, no texts. */
import { replayRun, type ReplayedRun } from '@donecheck/engine/backtest'
import { isOracleStopped, type RecordedRun } from '@donecheck/engine/recordings'
import { halfOf, type Half } from '../../halves.ts'
import type { Detector, Step } from '../detector.ts'
import { claimOf, type Claim } from '../said-done/claims.ts'
import { isNewestModel } from './newest-models.ts'
import { onsetsOf } from './onset.ts'

export interface MeasuredRun extends ReplayedRun {
  readonly file: string
  readonly half: Half
  readonly isOracleStopped: boolean
  readonly model: string | null
  readonly isNewest: boolean
  readonly onsets: readonly (number | undefined)[]
  /** Whether the agent ended by itself and said that it is done. */
  readonly claim: Claim
}

/** `steps`: those of the run. */
export function measureRun(
  run: RecordedRun,
  steps: readonly Step[],
  detectors: readonly Detector[],
): MeasuredRun {
  return {
    ...replayRun(run, steps, detectors),
    file: run.file,
    half: halfOf(run.id),
    isOracleStopped: isOracleStopped(run),
    model: run.model,
    isNewest: isNewestModel(run.model),
    onsets: onsetsOf(steps.filter((step) => step.kind === 'call')),
    claim: claimOf(run),
  }
}
