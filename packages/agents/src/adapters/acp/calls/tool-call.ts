/** A tool call as the agent tells of it, in pieces: parsed at the door, and put together. Pure. */
import { z } from 'zod'
import type { JsonValue } from '@donecheck/core/events'
import { given } from '@donecheck/engine/base'

export type ToolKind = (typeof toolKinds)[number]
export type ToolContent =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'diff'
      readonly path: string
      /** Null: the file is new, or the agent does not say what was there. */
      readonly oldText: string | null
      readonly newText: string
      readonly isDeletion: boolean
    }

/** What one message tells; whatever it leaves out stays as it was. */
export interface ToolCallNews {
  readonly id: string
  readonly name?: string
  readonly title?: string
  readonly kind?: ToolKind
  readonly status?: (typeof toolStatuses)[number]
  readonly content?: readonly ToolContent[]
  readonly paths?: readonly string[]
  readonly input?: JsonValue
  readonly output?: JsonValue
}

const toolKinds = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
] as const
const toolStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const

/** Deeper values are not walked through by anybody. */
const maxDepth = 64
/** Of one call; what comes after them is left out. */
const maxParts = 1000

const text = z.string().nullish().catch(undefined)
const anything = z
  .custom<JsonValue>((value) => value !== undefined && value !== null && isShallow(value, maxDepth))
  .optional()
  .catch(undefined)

const part = z.union([
  z
    .object({ type: z.literal('content'), content: z.object({ type: z.literal('text'), text: z.string() }) })
    .transform(({ content }): ToolContent => ({ kind: 'text', text: content.text })),
  z
    .object({
      type: z.literal('diff'),
      path: z.string(),
      oldText: text,
      newText: z.string(),
      _meta: z.object({ kind: text }).nullish().catch(undefined),
    })
    .transform(({ path, oldText, newText, _meta: about }): ToolContent => {
      const isDeletion = about?.kind === 'delete' && newText === ''
      return { kind: 'diff', path, oldText: oldText ?? null, newText, isDeletion }
    }),
])

const newsOfCall = z.object({
  toolCallId: z.string(),
  name: text,
  title: text,
  kind: z.enum(toolKinds).nullish().catch('other'),
  status: z.enum(toolStatuses).nullish().catch(undefined),
  content: z.array(z.unknown()).nullish().catch(undefined),
  locations: z.array(z.unknown()).nullish().catch(undefined),
  rawInput: anything,
  rawOutput: anything,
})

const location = z.object({ path: z.string() })

/** Undefined: nothing that could be told of a call. */
export function parseToolCall(message: unknown): ToolCallNews | undefined {
  const parsed = newsOfCall.safeParse(message)
  if (!parsed.success) return undefined
  const { toolCallId, name, title, kind, status, content, locations, rawInput, rawOutput } = parsed.data
  return {
    id: toolCallId,
    ...given({
      name: name ?? undefined,
      title: title ?? undefined,
      kind: kind ?? undefined,
      status: status ?? undefined,
      content: partsOf(content, part),
      paths: partsOf(locations, location)?.map(({ path }) => path),
      input: rawInput,
      output: rawOutput,
    }),
  }
}

/** The later news win; of two inputs that are objects, entry by entry, because some agents tell them in parts. */
export function withNews(before: ToolCallNews, news: ToolCallNews): ToolCallNews {
  const input =
    isRecord(before.input) && isRecord(news.input) ? { ...before.input, ...news.input } : news.input
  const hasEnded = news.status === 'completed' || news.status === 'failed'
  // What was shown before it ran is no output; before that, nothing new is nothing told.
  const content = news.content?.length === 0 && !hasEnded ? before.content : news.content
  return { ...before, ...news, ...given({ input, content }) }
}

export function isRecord(value: unknown): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Undefined: nothing is told of them. */
function partsOf<Part>(
  parts: readonly unknown[] | null | undefined,
  schema: z.ZodType<Part>,
): readonly Part[] | undefined {
  return parts?.slice(0, maxParts).flatMap((each) => {
    const parsed = schema.safeParse(each)
    return parsed.success ? [parsed.data] : []
  })
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((entry) => isShallow(entry, levels - 1))
}
