import type { PricesUsd, TokenUsage } from '../usage/index.ts'

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
