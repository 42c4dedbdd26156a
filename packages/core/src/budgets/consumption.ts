/** What a run has used up, sub-runs included. */
export interface Consumption {
  /** Turns begun. */
  readonly iterations: number
  /** Calls announced: retries and failures count. */
  readonly modelCalls: number
  readonly toolCalls: number
  /** Calls of the tools that have a cap of their own; others are not told apart. */
  readonly callsPerTool: Readonly<Record<string, number>>
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of the input: read from the provider's cache, as far as it says. */
  readonly cachedInputTokens: number
  /** Of the output: thoughts, as far as the provider says. */
  readonly reasoningTokens: number
  /** Of the input: nobody said whether it came from a cache. */
  readonly unsortedInputTokens: number
  /** Of the output: nobody said how much of it was thought. */
  readonly unsortedOutputTokens: number
  /** True where any part of the token count is our own estimate. */
  readonly tokensEstimated: boolean
  /** Calls whose usage nobody knows. */
  readonly callsWithoutUsage: number
  /** Null as soon as one call had no known price. */
  readonly costUsd: number | null
  /** Time between events, sleep between stop and resume left out. */
  readonly activeMs: number
  /** Of the active time: in model calls, tools and checks. Questions to people and back-off are waiting, not work. */
  readonly workingMs: number
  /** Model calls given back because they never reached the provider. */
  readonly refunds: number
}
