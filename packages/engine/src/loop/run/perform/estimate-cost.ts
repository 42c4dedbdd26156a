import { costOf, estimateTokens, type TokenUsage } from '@donecheck/core/budgets'
import type { RunState } from '@donecheck/core/state'

/**
 * Usage of a call that nobody told, of a drive that counts its tokens: its prompt was sent, and the text came back.
 * Unknown is not nothing (I9). Null for a drive that never counts.
 */
export function guessUsage(text: string, { drive, promptTokens }: RunState): TokenUsage | null {
  if (!drive.reportsUsage) return null
  return { inputTokens: promptTokens, outputTokens: estimateTokens(text), estimated: true }
}

/** Null where usage or price is unknown. */
export function costOfUsage(usage: TokenUsage | null, { drive }: RunState): number | null {
  return usage === null || drive.prices === null ? null : costOf(usage, drive.prices)
}
