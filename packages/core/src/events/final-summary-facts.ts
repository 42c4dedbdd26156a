/** Facts of the one call without tools after an early end was decided: what is done, what is left, how to go on. */
import type { TokenUsage } from './token-usage.ts'
import type { StopTransition } from './transition.ts'

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

/** What is known of the final summary since the drive was last asked for a turn. */
export interface FinalSummaryState {
  /** The end that was decided before the call; undefined after a resume: then it is decided anew. */
  readonly end: StopTransition | undefined
  /** Undefined: announced, and not answered yet. */
  readonly reply: { readonly text: string; readonly problem?: string } | undefined
}
