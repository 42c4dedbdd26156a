/** As much of the AI SDK's steps as is looked at, so that the types of every 7.x fit. */

export interface StepLike {
  readonly text: string
  readonly finishReason: string
  readonly usage: UsageLike
  readonly toolCalls: readonly StepCall[]
  readonly content: readonly StepPart[]
  readonly performance?: { readonly toolExecutionMs?: Readonly<Record<string, number>> } | undefined
}

export interface StepCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

/** One of the parts of a step; those that are looked at have a type that says which of these fields stand. */
export interface StepPart {
  readonly type: string
  readonly toolCallId?: string | undefined
  readonly output?: unknown
  readonly error?: unknown
  readonly approved?: boolean | undefined
  readonly reason?: unknown
  readonly toolCall?: { readonly toolCallId: string } | undefined
}

export interface UsageLike {
  readonly inputTokens: number | undefined
  readonly inputTokenDetails?: { readonly cacheReadTokens: number | undefined } | undefined
  readonly outputTokens: number | undefined
  readonly outputTokenDetails?: { readonly reasoningTokens: number | undefined } | undefined
}
