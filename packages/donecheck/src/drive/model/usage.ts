/** What a call cost in tokens: the provider's word where it is usable, else our own count of what was sent and read. */
import type { TokenUsage } from '../../events/index.ts'

export interface ReportedUsage {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}

export const nothingReported: ReportedUsage = { inputTokens: undefined, outputTokens: undefined }

/**
 * No prompt costs nothing, and no text either: a zero there means that the server does not count. A negative or broken
 * number would give budget back, so it counts as not said.
 */
export function settleUsage(
  reported: ReportedUsage,
  estimate: { readonly inputTokens: number; readonly outputTokens: number },
): TokenUsage {
  const input = usable(reported.inputTokens, 1)
  const output = usable(reported.outputTokens, estimate.outputTokens > 0 ? 1 : 0)
  return {
    inputTokens: input ?? estimate.inputTokens,
    outputTokens: output ?? estimate.outputTokens,
    estimated: input === undefined || output === undefined,
  }
}

function usable(tokens: number | undefined, least: number): number | undefined {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= least ? tokens : undefined
}
