/** What a thread of Codex has used, in the two spellings of it. */
import { numberIn, payloadOf } from '../../agents/index.ts'
import type { TokenUsage } from '../../events/index.ts'

/** Undefined: it says nothing that could be counted. */
export function usageOf(value: unknown): TokenUsage | undefined {
  const counts = payloadOf(value)
  if (counts === undefined) return undefined
  const count = (camel: string, snake: string) => tokens(numberIn(counts, camel) ?? numberIn(counts, snake))
  const inputTokens = count('inputTokens', 'input_tokens')
  const outputTokens = count('outputTokens', 'output_tokens')
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  const cachedInputTokens = count('cachedInputTokens', 'cached_input_tokens')
  const reasoningTokens = count('reasoningOutputTokens', 'reasoning_output_tokens')
  return {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens === undefined
      ? {}
      : { cachedInputTokens: Math.min(cachedInputTokens, inputTokens) }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens: Math.min(reasoningTokens, outputTokens) }),
    estimated: false,
  }
}

function tokens(count: number | undefined): number | undefined {
  return count === undefined ? undefined : Math.max(0, Math.trunc(count))
}
