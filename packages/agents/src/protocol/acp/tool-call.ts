import { isAbsolute, join, relative } from 'node:path'
import type { JsonValue, ToolEffect } from '@donecheck/core/internal/events'
import { oneLine } from '@donecheck/core/internal/base'
import { given } from '@donecheck/engine/internal/base'
import type { Action, FileChange } from '@donecheck/engine/internal/ports/gate'
import { readTextFile, resolveLinks } from '@donecheck/engine/internal/system/files'
import { fieldOf, jsonValueOf, quoteWord, recordsIn, textIn, type Payload } from '../host/index.ts'
import { boundText, type AgentCall } from '../stream/index.ts'

type ToolKind = keyof typeof effects
type ToolContent =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'diff'
      readonly path: string
      /** Null if the file is new or its old content unknown. */
      readonly oldText: string | null
      readonly newText: string
      readonly isDeletion: boolean
    }

export interface ToolCallNews {
  readonly id: string
  readonly name?: string
  readonly title?: string
  readonly kind?: ToolKind
  readonly status?: 'completed' | 'failed' | 'in_progress'
  readonly content?: readonly ToolContent[]
  readonly paths?: readonly string[]
  readonly input?: JsonValue
  readonly output?: JsonValue
}

export function parseToolCall(message: unknown): ToolCallNews | undefined {
  const id = textIn(message, 'toolCallId')
  if (id === undefined) return undefined
  const kind = textIn(message, 'kind')
  const status = textIn(message, 'status')
  return {
    id,
    ...given({
      name: textIn(message, 'name'),
      title: textIn(message, 'title'),
      kind: kind === undefined || isToolKind(kind) ? kind : 'other',
      status: status === 'completed' || status === 'failed' || status === 'in_progress' ? status : undefined,
      content: partsIn(message, 'content')?.flatMap(parseContent),
      paths: partsIn(message, 'locations')?.flatMap((location) => textIn(location, 'path') ?? []),
      input: valueIn(message, 'rawInput'),
      output: valueIn(message, 'rawOutput'),
    }),
  }
}

function isToolKind(kind: string): kind is ToolKind {
  return Object.hasOwn(effects, kind)
}

function partsIn(message: unknown, name: string): readonly Payload[] | undefined {
  return Array.isArray(fieldOf(message, name)) ? recordsIn(message, name) : undefined
}

function valueIn(message: unknown, name: string): JsonValue | undefined {
  const value = fieldOf(message, name) ?? undefined
  return value === undefined ? undefined : jsonValueOf(value)
}

function parseContent(part: Payload): readonly ToolContent[] {
  const text = textIn(part['content'], 'text')
  if (part['type'] === 'content' && text !== undefined) return [{ kind: 'text', text }]
  const [path, newText] = [textIn(part, 'path'), textIn(part, 'newText')]
  if (part['type'] !== 'diff' || path === undefined || newText === undefined) return []
  const isDeletion = textIn(part['_meta'], 'kind') === 'delete' && newText === ''
  return [{ kind: 'diff', path, oldText: textIn(part, 'oldText') ?? null, newText, isDeletion }]
}

/** Later values win; object inputs merge by entry, because some agents send them in parts. */
export function withNews(before: ToolCallNews, news: ToolCallNews): ToolCallNews {
  const input =
    isRecord(before.input) && isRecord(news.input) ? { ...before.input, ...news.input } : news.input
  const hasEnded = news.status === 'completed' || news.status === 'failed'
  const content = news.content?.length === 0 && !hasEnded ? before.content : news.content
  return { ...before, ...news, ...given({ input, content }) }
}

function isRecord(value: unknown): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface PermissionOption {
  readonly optionId: string
  readonly kind: string
}

export interface PermissionQuestion {
  readonly call: ToolCallNews
  readonly options: readonly PermissionOption[]
}

export interface PermissionAnswer {
  readonly outcome:
    { readonly outcome: 'selected'; readonly optionId: string } | { readonly outcome: 'cancelled' }
}

export const noAnswer: PermissionAnswer = { outcome: { outcome: 'cancelled' } }

export function parseQuestion(params: Payload): PermissionQuestion | undefined {
  const call = parseToolCall(params['toolCall'])
  if (call === undefined) return undefined
  const options = recordsIn(params, 'options').flatMap((option) => {
    const [optionId, kind] = [textIn(option, 'optionId'), textIn(option, 'kind')]
    return optionId === undefined || kind === undefined ? [] : [{ optionId, kind }]
  })
  return { call, options }
}

/** Never allows permanently: our rules would miss the next call. @returns undefined without such an option */
export function answerOf(
  options: readonly PermissionOption[],
  isAllowed: boolean,
): PermissionAnswer | undefined {
  const option = (isAllowed ? ['allow_once'] : ['reject_once', 'reject_always'])
    .flatMap((kind) => options.find((each) => each.kind === kind) ?? [])
    .at(0)
  return option === undefined ? undefined : { outcome: { outcome: 'selected', optionId: option.optionId } }
}

const commandNames = ['command', 'cmd', 'script'] as const
const folderNames = ['cwd', 'workdir', 'workingDirectory', 'directory'] as const

/** The command line, which some agents show only as the call's title in backquotes. */
export function scriptOf({ input, title = '' }: ToolCallNews): string | undefined {
  const reported = isRecord(input) ? firstOf(input, commandNames) : undefined
  if (typeof reported === 'string') return reported
  if (Array.isArray(reported)) return lineOf(reported)
  const shown = /^(`{1,3})([^`]+)\1$/u.exec(title.trim())?.[2] ?? title
  return shown.trim() === '' ? undefined : shown.trim()
}

function scriptFolderOf({ input }: ToolCallNews): string | undefined {
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

const effects = {
  read: 'read',
  search: 'read',
  think: 'read',
  edit: 'write',
  delete: 'write',
  move: 'write',
  execute: 'execute',
  fetch: 'execute',
  switch_mode: 'execute',
  other: 'execute',
} as const satisfies Readonly<Record<string, ToolEffect>>

const agentNames = /^(task|agent|subagent)$/iu
const maxSummaryLength = 200

export type PermissionRequest = Pick<AgentCall, 'action' | 'preview' | 'answer' | 'hearsReason'>

export function callOf(call: ToolCallNews, callId: string, asked?: PermissionRequest): AgentCall {
  const { kind = 'other', name, title = '' } = call
  const isAgent = agentNames.test(name ?? title)
  return {
    kind: 'call',
    callId,
    tool: name ?? kind,
    args: argumentsOf(call),
    effect: effects[kind],
    summary: summaryOf(call),
    ...(asked ?? (isAgent ? { holdsOthers: true } : {})),
  }
}

function summaryOf(call: ToolCallNews): string {
  const { kind = 'other', name = kind, title = '', paths = [] } = call
  const about = kind === 'execute' ? (scriptOf(call) ?? title) : title === '' ? paths.join(' ') : title
  const line = about === '' || about === name ? name : `${name}: ${about}`
  return oneLine(line, maxSummaryLength)
}

function argumentsOf({ input, title, paths, content = [] }: ToolCallNews): JsonValue {
  const isTold = input !== undefined && !(isRecord(input) && Object.keys(input).length === 0)
  if (isTold) return input
  const diffs = content.flatMap((part) =>
    part.kind === 'diff' ? [{ path: part.path, oldText: part.oldText, newText: part.newText }] : [],
  )
  return {
    ...given({ title }),
    ...(paths === undefined || paths.length === 0 ? {} : { paths }),
    ...(diffs.length === 0 ? {} : { diffs }),
  }
}

export function outcomeOf(call: ToolCallNews): { readonly status: 'ok' | 'error'; readonly output: string } {
  const hasFailed = call.status === 'failed' || exitCodeOf(call.output) !== 0
  return { status: hasFailed ? 'error' : 'ok', output: boundText(outputOf(call)) }
}

function outputOf({ output, content = [] }: ToolCallNews): string {
  const reported = isRecord(output)
    ? (output['output'] ?? output['stdout'] ?? output['formatted_output'])
    : output
  if (typeof reported === 'string') return reported
  const shown = content.map((part) => (part.kind === 'text' ? part.text : `${part.path} was changed`))
  if (shown.length > 0) return shown.join('\n')
  return output === undefined ? '' : JSON.stringify(output)
}

/** Some agents report a failed command as completed, with its exit code. */
function exitCodeOf(output: JsonValue | undefined): number {
  if (!isRecord(output)) return 0
  const about = isRecord(output['metadata']) ? output['metadata'] : output
  const reported = about['exit'] ?? about['exit_code'] ?? about['exitCode']
  return typeof reported === 'number' ? reported : 0
}

type Diff = Extract<ToolContent, { kind: 'diff' }>

/** Null if the file does not exist; undefined if unknown. */
type FileText = string | null | undefined

/** Undefined if the call does not show what it would do. Never rejects. */
export async function readAction(call: ToolCallNews, folder: string): Promise<Action | undefined> {
  if (call.kind === 'execute') return commandOf(call, folder)
  const diffs = (call.content ?? []).filter((part) => part.kind === 'diff')
  const isChange = call.kind === 'edit' || call.kind === 'delete' || call.kind === 'move'
  if (!isChange && diffs.length === 0) return undefined
  const paths = new Set([...diffs.map(({ path }) => path), ...(isChange ? (call.paths ?? []) : [])])
  if (paths.size === 0) return undefined
  const files = await Promise.all(
    [...paths].map((path) =>
      readChange(
        path,
        diffs.filter((diff) => diff.path === path),
        { call, folder },
      ),
    ),
  )
  return { kind: 'change', files }
}

function commandOf(call: ToolCallNews, folder: string): Action | undefined {
  const script = scriptOf(call)
  if (script === undefined) return undefined
  const reported = scriptFolderOf(call) ?? folder
  return { kind: 'command', script, folder: isAbsolute(reported) ? reported : join(folder, reported) }
}

interface ChangeContext {
  readonly call: ToolCallNews
  readonly folder: string
}

async function readChange(
  path: string,
  diffs: readonly Diff[],
  { call, folder }: ChangeContext,
): Promise<FileChange> {
  const absolute = isAbsolute(path) ? path : join(folder, path)
  const target = await resolveLinks(absolute)
  const root = await resolveLinks(folder)
  if (target.kind === 'failed' || root.kind === 'failed')
    return { path: isAbsolute(path) ? path : `../${path}`, before: undefined, after: undefined }
  const before = await readTextFile(target.path)
  const shown = relative(root.path, target.path)
  if (diffs.length === 0) return { path: shown, before, after: call.kind === 'delete' ? null : undefined }
  const replacesAll = isRecord(call.input) && (call.input['replace_all'] ?? call.input['replaceAll']) === true
  return { path: shown, before, after: changedText(before, diffs, replacesAll) }
}

/** Agents show whole files, one replaced part, or a part for each location. */
export function changedText(before: FileText, diffs: readonly Diff[], replacesAll: boolean): FileText {
  return diffs.reduce((text: FileText, diff) => afterDiff(text, diff, replacesAll), before)
}

function afterDiff(before: FileText, { oldText, newText, isDeletion }: Diff, replacesAll: boolean): FileText {
  if (isDeletion) return null
  // The old text does not occur in the file, so it is the full file.
  if (oldText === null) return newText
  if (before === undefined) return undefined
  if (before === oldText || ((before ?? '') === '' && oldText === '')) return newText
  if (before === null || oldText === '') return undefined
  const pieces = before.split(oldText)
  if (pieces.length === 2 || (replacesAll && pieces.length > 2)) return pieces.join(newText)
  return undefined
}
