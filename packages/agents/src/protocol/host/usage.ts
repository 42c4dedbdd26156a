import type { TokenUsage } from '@donecheck/core/internal/budgets'
import { given } from '@donecheck/engine/internal/base'

export const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, estimated: false }

type Counts = Readonly<Record<'inputTokens' | 'outputTokens', unknown>> &
  Readonly<Partial<Record<Part, unknown>>>
type Part = 'cachedInputTokens' | 'reasoningTokens'

const wholeOf = { cachedInputTokens: 'inputTokens', reasoningTokens: 'outputTokens' } as const

/** @returns undefined if input or output was not reported */
export function reportedUsage(counts: Counts): TokenUsage | undefined {
  const inputTokens = countOf(counts.inputTokens)
  const outputTokens = countOf(counts.outputTokens)
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  const partOf = (part: unknown, whole: number) => {
    const count = countOf(part)
    return count === undefined ? undefined : Math.min(count, whole)
  }
  return {
    inputTokens,
    outputTokens,
    ...given({
      cachedInputTokens: partOf(counts.cachedInputTokens, inputTokens),
      reasoningTokens: partOf(counts.reasoningTokens, outputTokens),
    }),
    estimated: false,
  }
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.trunc(value) : undefined
}

/** A part unknown in one is unknown in the sum, unless its total is 0. */
export function addUsage(before: TokenUsage | undefined, more: TokenUsage): TokenUsage {
  if (before === undefined) return more
  const sum = (part: Part) => {
    const counts = [before, more].map((usage) => usage[part] ?? (usage[wholeOf[part]] === 0 ? 0 : undefined))
    const isUnknown = counts.includes(undefined) || (before[part] ?? more[part]) === undefined
    return isUnknown ? undefined : counts.reduce<number>((total, count) => total + (count ?? 0), 0)
  }
  return {
    inputTokens: before.inputTokens + more.inputTokens,
    outputTokens: before.outputTokens + more.outputTokens,
    ...given({ cachedInputTokens: sum('cachedInputTokens'), reasoningTokens: sum('reasoningTokens') }),
    estimated: before.estimated || more.estimated,
  }
}

/** Usage since an earlier total. A smaller total has restarted at 0. */
export function usageSince(total: TokenUsage, before: TokenUsage | undefined): TokenUsage {
  const hasFallen =
    before === undefined || total.inputTokens < before.inputTokens || total.outputTokens < before.outputTokens
  return hasFallen ? total : usageBeyond(total, before)
}

export function usageBeyond(total: TokenUsage, booked: TokenUsage): TokenUsage {
  const beyond = (count: number | undefined, part: number | undefined) =>
    count === undefined ? undefined : Math.max(0, count - (part ?? 0))
  return {
    inputTokens: Math.max(0, total.inputTokens - booked.inputTokens),
    outputTokens: Math.max(0, total.outputTokens - booked.outputTokens),
    ...given({
      cachedInputTokens: beyond(total.cachedInputTokens, booked.cachedInputTokens),
      reasoningTokens: beyond(total.reasoningTokens, booked.reasoningTokens),
    }),
    estimated: total.estimated,
  }
}
