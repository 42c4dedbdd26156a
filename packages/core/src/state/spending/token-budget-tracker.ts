/** What the token budget remembers between two turns that the drive ended by itself. Arithmetic only; the rule is in `core/`. */
import type { EpochMs } from '../../events/index.ts'

export interface TokenBudgetTracker {
  /** How often the drive ended its turn by itself and was sent on. */
  readonly continuations: number
  /** Output tokens between the last two continuations; 0 before there were any. */
  readonly lastDeltaTokens: number
  /** The same one continuation earlier; null before there were two. */
  readonly deltaBeforeTokens: number | null
  /** Output tokens of the task up to the last continuation. */
  readonly lastTurnTokens: number
  /** When the task was set. */
  readonly startedMs: EpochMs
}

/** The tracker with the point that it counts from. */
export interface TokenBudgetState {
  readonly tracker: TokenBudgetTracker
  /** Output tokens that are none of this task's: spent before it was set, or on a final summary. */
  readonly notCountedTokens: number
}

export function newTracker(startedMs: EpochMs): TokenBudgetTracker {
  return { continuations: 0, lastDeltaTokens: 0, deltaBeforeTokens: null, lastTurnTokens: 0, startedMs }
}

/** @param turnTokens output tokens of the task so far, all its rounds together */
export function countNudge(tracker: TokenBudgetTracker, turnTokens: number): TokenBudgetTracker {
  return {
    continuations: tracker.continuations + 1,
    lastDeltaTokens: turnTokens - tracker.lastTurnTokens,
    deltaBeforeTokens: tracker.continuations === 0 ? null : tracker.lastDeltaTokens,
    lastTurnTokens: turnTokens,
    startedMs: tracker.startedMs,
  }
}
