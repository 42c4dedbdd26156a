import type { TokenUsage } from '../events/index.ts'

/** Counts as they were told; undefined: it was not. */
export interface ToldCounts {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly cachedInputTokens: number | undefined
  readonly reasoningTokens: number | undefined
}

/** Null: how much went in or came out was not said. */
export function toldUsage(counts: ToldCounts): TokenUsage | null {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = counts
  if (inputTokens === undefined || outputTokens === undefined) return null
  return {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    estimated: false,
  }
}
