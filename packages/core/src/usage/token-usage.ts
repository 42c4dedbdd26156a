import { z } from 'zod'
import type { Recorded } from '../base/index.ts'

const count = z.number().int().nonnegative()

export type TokenUsage = Recorded<typeof tokenUsage>
export const tokenUsage = z.object({
  inputTokens: count,
  outputTokens: count,
  /** Part of the input: read from the provider's cache. Absent: nobody said. */
  cachedInputTokens: count.exactOptional(),
  /** Part of the output: thoughts. Absent: nobody said. */
  reasoningTokens: count.exactOptional(),
  /** True: counted by us from the text, because the provider said nothing. */
  estimated: z.boolean(),
})

export type PricesUsd = Recorded<typeof pricesUsd>
export const pricesUsd = z.object({
  inputPerMillionTokens: z.number(),
  /** Of input that comes from the provider's cache. Absent: it costs as much as other input. */
  cachedInputPerMillionTokens: z.number().exactOptional(),
  outputPerMillionTokens: z.number(),
})
