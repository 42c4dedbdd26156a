/** What the model asked for, made safe to record: readable arguments or the raw text with the reason, unique names. */
import type { JsonValue } from '@donecheck/core/events'
import type { ProposedCall } from '../../../ports/loop.ts'
import type { StreamedCall } from '../../../system/models/index.ts'

/** Deeper arguments are no tool's, and would exhaust the stack of whoever walks them. */
const maxDepth = 64
/** What every provider accepts when it is sent again. */
const usableId = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * @param taken ids that earlier calls of the conversation have
 * @param newId gives an id that nobody has
 */
export function proposedCalls(
  asked: readonly StreamedCall[],
  taken: ReadonlySet<string>,
  newId: () => string,
): readonly ProposedCall[] {
  const seen = new Set(taken)
  return asked.map((call) => {
    const callId = usableId.test(call.callId) && !seen.has(call.callId) ? call.callId : newId()
    seen.add(callId)
    return { callId, tool: call.tool, ...readArguments(call) }
  })
}

function readArguments({ input, invalid }: StreamedCall): {
  readonly args: JsonValue
  readonly malformed?: string
} {
  if (invalid && typeof input === 'string') {
    const problem = whyNotJson(input)
    if (problem !== undefined) return { args: input, malformed: problem }
  }
  const args = toJson(input, maxDepth)
  return args === undefined
    ? { args: '', malformed: `the arguments are nested deeper than ${maxDepth} levels, or are no JSON` }
    : { args }
}

function whyNotJson(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `the arguments are no valid JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** A copy that is JSON for certain; undefined where it is not. */
function toJson(value: unknown, depth: number): JsonValue | undefined {
  if (value === undefined) return {}
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object' || depth === 0) return undefined
  if (Array.isArray(value)) {
    const entries = value.map((entry: unknown) => toJson(entry, depth - 1))
    return entries.every((entry) => entry !== undefined) ? entries : undefined
  }
  const entries = Object.entries(value).map(([key, entry]) => [key, toJson(entry, depth - 1)] as const)
  return entries.every(isKnown) ? Object.fromEntries(entries) : undefined
}

function isKnown(entry: readonly [string, JsonValue | undefined]): entry is readonly [string, JsonValue] {
  return entry[1] !== undefined
}
