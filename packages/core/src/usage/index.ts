/** Separate from the caps, so that reading those loads no parser. */
import { z } from 'zod'
import type { Recorded } from '../base/index.ts'

const count = z.number().int().nonnegative()
const amount = z.number().nonnegative()

export type TokenUsage = Recorded<typeof tokenUsage>
export const tokenUsage = z.object({
  inputTokens: count,
  outputTokens: count,
  /** Part of the input, read from the provider's cache; absent if unknown. */
  cachedInputTokens: count.exactOptional(),
  /** Part of the output; absent if unknown. */
  reasoningTokens: count.exactOptional(),
  /** True if we counted from the text because the provider reported nothing. */
  estimated: z.boolean(),
})

export type PricesUsd = Recorded<typeof pricesUsd>
export const pricesUsd = z.object({
  inputPerMillionTokens: z.number(),
  /** Price of cached input; default: that of other input. */
  cachedInputPerMillionTokens: z.number().exactOptional(),
  outputPerMillionTokens: z.number(),
})

/** Includes sub-runs. */
export type Consumption = Recorded<typeof consumption>
export const consumption = z.object({
  iterations: count,
  /** Excludes calls that the provider refused. */
  modelCalls: count,
  toolCalls: count,
  /** Only tools with their own cap. */
  callsPerTool: z.record(z.string(), count),
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count,
  reasoningTokens: count,
  /** True if any part of the token count is our estimate. */
  tokensEstimated: z.boolean(),
  callsWithoutUsage: count,
  /** Null once one call had no known price. */
  costUsd: amount.nullable(),
  /** Excludes sleep between stop and resume. */
  activeMs: amount,
})
