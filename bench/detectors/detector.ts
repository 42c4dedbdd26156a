/** What every detector of the comparison sees and says: ours, the rivals', and the real ones loaded from their packages. */
import type { Watcher } from '@donecheck/engine/backtest'
import type { Step } from '@donecheck/engine/recordings'

export type { Alarm, Watch } from '@donecheck/engine/backtest'
export type { CallStep, MessageStep, ReplyStep, Step } from '@donecheck/engine/recordings'

export interface Detector extends Watcher {
  /** Looks at results, not only at calls. */
  readonly readsResults: boolean
  /**
   * Reads a step as it would be read when it is recorded, so that only comparing is left to `observe`. Where the cost of a call
   * is measured, it is called before the clock starts: to every detector its digests are given.
   */
  readonly digest?: (step: Step) => void
}
