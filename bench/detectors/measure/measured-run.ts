/** What is kept of a run after every detector went over it: facts for the figures, no texts. */
import { replayRun, type ReplayedRun } from '@donecheck/engine/backtest'
import { isOracleStopped, type RecordedRun } from '@donecheck/engine/recordings'
import { halfOf, type Half } from '../../halves.ts'
import type { Detector, Step } from '../detector.ts'
import { isNewestModel } from './newest-models.ts'

export interface MeasuredRun extends ReplayedRun {
  readonly file: string
  readonly half: Half
  readonly isOracleStopped: boolean
  readonly model: string | null
  readonly isNewest: boolean
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
  }
}
