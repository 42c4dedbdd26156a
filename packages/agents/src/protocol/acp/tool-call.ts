import { z } from 'zod'
import type { JsonValue } from '@donecheck/core/events'
import { given } from '@donecheck/engine/base'

export type ToolKind = (typeof toolKinds)[number]
export type ToolContent =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'diff'
      readonly path: string
      /** Null when the file is new, or when the agent does not say what was there. */
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

const maxDepth = 64
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

const option = z.object({
  optionId: z.string(),
  kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always']),
})
type PermissionOption = Readonly<z.infer<typeof option>>

export interface PermissionQuestion {
  readonly call: ToolCallNews
  readonly options: readonly PermissionOption[]
}

export interface PermissionAnswer {
  readonly outcome:
    { readonly outcome: 'selected'; readonly optionId: string } | { readonly outcome: 'cancelled' }
}

export const noAnswer: PermissionAnswer = { outcome: { outcome: 'cancelled' } }

const question = z.object({ toolCall: z.unknown(), options: z.array(z.unknown()) })

/** Undefined when the question cannot be read, so it cannot be allowed. */
export function parseQuestion(params: unknown): PermissionQuestion | undefined {
  const parsed = question.safeParse(params)
  const call = parsed.success ? parseToolCall(parsed.data.toolCall) : undefined
  if (!parsed.success || call === undefined) return undefined
  const options = parsed.data.options.flatMap((each) => {
    const known = option.safeParse(each)
    return known.success ? [known.data] : []
  })
  return { call, options }
}

/**
 * Each call is decided for itself: what is allowed once and for all would never be asked again, and our rules would not
 * see it. Undefined: the agent offers no such option.
 */
export function answerOf(
  options: readonly PermissionOption[],
  isAllowed: boolean,
): PermissionAnswer | undefined {
  const kinds = isAllowed ? (['allow_once'] as const) : (['reject_once', 'reject_always'] as const)
  const found = kinds
    .map((kind) => options.find((each) => each.kind === kind))
    .find((each) => each !== undefined)
  return found === undefined ? undefined : { outcome: { outcome: 'selected', optionId: found.optionId } }
}

const commandNames = ['command', 'cmd', 'script'] as const
const folderNames = ['cwd', 'workdir', 'workingDirectory', 'directory'] as const

/**
 * The line for the shell. Agents that tell no input show it as the title of the call, some of them between backquotes. What
 * is shown need not be what is run: an agent that lies about it is not held by any answer.
 */
export function scriptOf({ input, title = '' }: ToolCallNews): string | undefined {
  const reported = isRecord(input) ? firstOf(input, commandNames) : undefined
  if (typeof reported === 'string') return reported
  if (Array.isArray(reported)) return lineOf(reported)
  const shown = /^(`{1,3})([^`]+)\1$/u.exec(title.trim())?.[2] ?? title
  return shown.trim() === '' ? undefined : shown.trim()
}

/** The folder the script runs in, as the agent reports it. Undefined when it does not say. */
export function scriptFolderOf({ input }: ToolCallNews): string | undefined {
  const reported = isRecord(input) ? firstOf(input, folderNames) : undefined
  return typeof reported === 'string' && reported !== '' ? reported : undefined
}

function firstOf(
  input: Readonly<Record<string, JsonValue>>,
  names: readonly string[],
): JsonValue | undefined {
  const name = names.find((each) => Object.hasOwn(input, each))
  return name === undefined ? undefined : input[name]
}

const shells = /(^|\/)(ba|da|z)?sh$/u

function lineOf(list: readonly JsonValue[]): string | undefined {
  const words = list.filter((word) => typeof word === 'string')
  if (words.length !== list.length || words.length === 0) return undefined
  const [shell = '', flag, script] = words
  if (words.length === 3 && script !== undefined && shells.test(shell) && /^-l?c$/u.test(flag ?? ''))
    return script
  return words.map(quoteWord).join(' ')
}

function quoteWord(word: string): string {
  return /^[\w./:=@%+,-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
