/** What a call cost in tokens: the provider's word where it is usable, else our own count of what was sent and read. */
import type { TokenUsage } from '@donecheck/core/budgets'
import { given } from '../../base/index.ts'

export interface ReportedUsage {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  /** Of the input: read from the provider's cache. */
  readonly cachedInputTokens?: number | undefined
  /** Of the output: thoughts. */
  readonly reasoningTokens?: number | undefined
}

export const nothingReported: ReportedUsage = { inputTokens: undefined, outputTokens: undefined }

/**
 * No prompt costs nothing, and no text either: a zero there means that the server does not count. A negative or broken
 * number would give budget back, so it counts as not said. A part is believed only together with its whole.
 */
export function settleUsage(
  reported: ReportedUsage,
  estimate: { readonly inputTokens: number; readonly outputTokens: number },
): TokenUsage {
  const input = usable(reported.inputTokens, 1)
  const output = usable(reported.outputTokens, estimate.outputTokens > 0 ? 1 : 0)
  const cachedInputTokens = partOf(reported.cachedInputTokens, input)
  const reasoningTokens = partOf(reported.reasoningTokens, output)
  return {
    inputTokens: input ?? estimate.inputTokens,
    outputTokens: output ?? estimate.outputTokens,
    ...given({ cachedInputTokens, reasoningTokens }),
    estimated: input === undefined || output === undefined,
  }
}

/** Undefined: nobody said, or it cannot be. */
function partOf(tokens: number | undefined, whole: number | undefined): number | undefined {
  const part = usable(tokens, 0)
  return part === undefined || whole === undefined || part > whole ? undefined : part
}

function usable(tokens: number | undefined, least: number): number | undefined {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= least ? tokens : undefined
}
