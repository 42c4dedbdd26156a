import type { TokenUsage } from '@donecheck/core/budgets'
import { given } from '@donecheck/engine/base'

export const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, estimated: false }

/** The sum. What nobody told of one part cannot be told of the whole, unless that part is empty. */
export function addUsage(before: TokenUsage | undefined, more: TokenUsage): TokenUsage {
  if (before === undefined) return more
  return {
    inputTokens: before.inputTokens + more.inputTokens,
    outputTokens: before.outputTokens + more.outputTokens,
    ...given({
      cachedInputTokens: sumOfParts('cachedInputTokens', 'inputTokens', before, more),
      reasoningTokens: sumOfParts('reasoningTokens', 'outputTokens', before, more),
    }),
    estimated: before.estimated || more.estimated,
  }
}

type Part = 'cachedInputTokens' | 'reasoningTokens'

function sumOfParts(
  part: Part,
  whole: 'inputTokens' | 'outputTokens',
  ...both: readonly TokenUsage[]
): number | undefined {
  const reported = both.map((usage) => usage[part] ?? (usage[whole] === 0 ? 0 : undefined))
  return reported.some((count) => count === undefined) || both.every((usage) => usage[part] === undefined)
    ? undefined
    : reported.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

/** What was used since: of a total that only grows. A total that fell was begun anew. */
export function usageSince(total: TokenUsage, before: TokenUsage | undefined): TokenUsage {
  if (
    before === undefined ||
    total.inputTokens < before.inputTokens ||
    total.outputTokens < before.outputTokens
  )
    return total
  return {
    inputTokens: total.inputTokens - before.inputTokens,
    outputTokens: total.outputTokens - before.outputTokens,
    ...given({
      cachedInputTokens: difference(total.cachedInputTokens, before.cachedInputTokens),
      reasoningTokens: difference(total.reasoningTokens, before.reasoningTokens),
    }),
    estimated: total.estimated,
  }
}

function difference(total: number | undefined, before: number | undefined): number | undefined {
  return total === undefined ? undefined : Math.max(0, total - (before ?? 0))
}
