export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Part of the input: read from the provider's cache. Absent: nobody said. */
  readonly cachedInputTokens?: number
  /** Part of the output: thoughts. Absent: nobody said. */
  readonly reasoningTokens?: number
  /** True: counted by us from the text, because the provider said nothing. */
  readonly estimated: boolean
}
