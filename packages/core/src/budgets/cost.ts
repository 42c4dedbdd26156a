import type { TokenUsage } from './token-usage.ts'

export interface PricesUsd {
  readonly inputPerMillionTokens: number
  /** Of input that comes from the provider's cache. Absent: it costs as much as other input. */
  readonly cachedInputPerMillionTokens?: number
  readonly outputPerMillionTokens: number
}

/**
 * Dollars for a usage at given prices per million tokens. Input from a cache has its own price where that is known; what a
 * provider takes for writing to its cache is not in here.
 */
export function costOf(
  usage: Pick<TokenUsage, 'inputTokens' | 'outputTokens' | 'cachedInputTokens'>,
  prices: PricesUsd,
): number {
  const { inputPerMillionTokens, outputPerMillionTokens } = prices
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens)
  const micros =
    (usage.inputTokens - cached) * inputPerMillionTokens +
    cached * (prices.cachedInputPerMillionTokens ?? inputPerMillionTokens) +
    usage.outputTokens * outputPerMillionTokens
  return micros / 1_000_000
}
