import type { PricesUsd } from '../events/index.ts'

/** Dollars for a usage at given prices per million tokens. */
export function costOf(
  usage: { readonly inputTokens: number; readonly outputTokens: number },
  prices: PricesUsd,
): number {
  const micros =
    usage.inputTokens * prices.inputPerMillionTokens + usage.outputTokens * prices.outputPerMillionTokens
  return micros / 1_000_000
}
