/** What every detector of the comparison sees and says: ours, OpenClaw's as it is described, and the real one. */
import type { Watcher } from '@donecheck/engine/backtest'
import type { Step } from '@donecheck/engine/recordings'

export type { Alarm, Watch } from '@donecheck/engine/backtest'
export type { CallStep, MessageStep, ReplyStep, Step } from '@donecheck/engine/recordings'

export interface Detector extends Watcher {
  /** Reads a step as it would be read when it is recorded, so that only comparing is left to `observe`. */
  readonly digest?: (step: Step) => void
}
