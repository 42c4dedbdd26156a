/** Facts of the one call without tools after an early end was decided: what is done, what is left, how to go on. */
import type { TokenUsage } from '../../budgets/index.ts'
import type { StopTransition } from '../transitions/index.ts'

/** Announced before the drive is asked (I4). It counts as a model call, and is no turn. */
export interface FinalSummaryCalled {
  readonly type: 'final-summary-called'
  /** The end that was decided: whatever the call brings, the run ends so. */
  readonly end: StopTransition
  /** What the drive is told. It never becomes a part of the conversation. */
  readonly notice: string
}

export interface FinalSummaryReplied {
  readonly type: 'final-summary-replied'
  /** Empty: it said nothing. */
  readonly text: string
  /** Calls of tools that it asked for all the same; none was run. */
  readonly droppedCalls: number
  /** Null: nobody knows, or nothing was spent. */
  readonly usage: TokenUsage | null
  readonly costUsd: number | null
  /** Why there is no reply. */
  readonly problem?: string
}
