/** Reading objects of an SDK that is not at hand here: instances of its classes too, with fields that only a getter has. */
import type { TokenUsage } from '@donecheck/core/budgets'
import { given } from '@donecheck/engine/base'

/** Undefined: it is no object, or has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const field: unknown = Reflect.get(value, name)
  return field
}

export function textField(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : undefined
}

/** Empty for all that is no list. */
export function listField(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name)
  return Array.isArray(field) ? field : []
}

/** Of the content of a message: a text, or parts of which some have one. */
export function textOfContent(content: unknown, between = ''): string {
  if (typeof content === 'string') return content
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  return parts
    .map((part) => (typeof part === 'string' ? part : (textField(part, 'text') ?? '')))
    .filter((text) => text !== '')
    .join(between)
}

/** Counts as an SDK tells them; what cannot be a count was not told. */
export interface ReportedCounts {
  readonly inputTokens: unknown
  readonly outputTokens: unknown
  readonly cachedInputTokens: unknown
  readonly reasoningTokens: unknown
}

/** Null: how much went in or came out was not said. */
export function reportedUsage(counts: ReportedCounts): TokenUsage | null {
  const inputTokens = countOf(counts.inputTokens)
  const outputTokens = countOf(counts.outputTokens)
  if (inputTokens === undefined || outputTokens === undefined) return null
  return {
    inputTokens,
    outputTokens,
    ...given({
      cachedInputTokens: countOf(counts.cachedInputTokens),
      reasoningTokens: countOf(counts.reasoningTokens),
    }),
    estimated: false,
  }
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
