/** What is used up. Apart from the caps, so that whoever reads those loads no parser. */
import { z } from 'zod'
import type { Recorded } from '../base/index.ts'

const count = z.number().int().nonnegative()
const amount = z.number().nonnegative()

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

/** What a run has used up, sub-runs included. */
export type Consumption = Recorded<typeof consumption>
export const consumption = z.object({
  /** Turns begun. */
  iterations: count,
  /** Calls announced, without those that the provider refused. */
  modelCalls: count,
  toolCalls: count,
  /** Calls of the tools that have a cap of their own; others are not told apart. */
  callsPerTool: z.record(z.string(), count),
  inputTokens: count,
  outputTokens: count,
  /** Of the input: read from the provider's cache, as far as it says. */
  cachedInputTokens: count,
  /** Of the output: thoughts, as far as the provider says. */
  reasoningTokens: count,
  /** True where any part of the token count is our own estimate. */
  tokensEstimated: z.boolean(),
  /** Calls whose usage nobody knows. */
  callsWithoutUsage: count,
  /** Null as soon as one call had no known price. */
  costUsd: amount.nullable(),
  /** Time between events, sleep between stop and resume left out. */
  activeMs: amount,
})
