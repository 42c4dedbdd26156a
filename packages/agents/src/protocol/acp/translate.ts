import { boundText, type AgentCall } from '../stream/index.ts'
import { oneLine } from '@donecheck/core/base'
import type { JsonValue, ToolEffect } from '@donecheck/core/events'
import type { Action, FileChange } from '@donecheck/engine/ports/gate'
import {
  scriptOf,
  isRecord,
  type ToolCallNews,
  type ToolKind,
  scriptFolderOf,
  type ToolContent,
} from './tool-call.ts'
import { given } from '@donecheck/engine/base'
import { isAbsolute, join, relative } from 'node:path'
import { readTextFile, resolveLinks } from '@donecheck/engine/files'

/** What leaves the machine or changes what the agent may do counts as running a program: it is not taken lightly. */
const effects: Readonly<Record<ToolKind, ToolEffect>> = {
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
}

const agentNames = /^(task|agent|subagent)$/iu
const maxSummaryLength = 200

export type PermissionRequest = Pick<AgentCall, 'action' | 'preview' | 'answer' | 'hearsReason'>

/**
 * @param callId under which the kit shall know it
 * @param asked the agent waits for an answer; so it cannot be told of later, when its own calls are over
 */
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

/** The input if the agent reports it; otherwise everything that distinguishes this call from another one. */
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

/** Some agents call a command completed that failed, and tell its exit code beside it. */
function exitCodeOf(output: JsonValue | undefined): number {
  if (!isRecord(output)) return 0
  const about = isRecord(output['metadata']) ? output['metadata'] : output
  const reported = about['exit'] ?? about['exit_code'] ?? about['exitCode']
  return typeof reported === 'number' ? reported : 0
}

type Diff = Extract<ToolContent, { kind: 'diff' }>

/** The content as text. Null means there is no such file; undefined means the content is not known. */
type FileText = string | null | undefined

/** Undefined when the call does not show its action, so that only its effect is known. Never rejects. */
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

/**
 * Some agents show whole files, some the piece that is replaced, some one piece for each place.
 * @param replacesAll the piece is replaced wherever it stands
 */
export function changedText(before: FileText, diffs: readonly Diff[], replacesAll: boolean): FileText {
  return diffs.reduce((text: FileText, diff) => afterDiff(text, diff, replacesAll), before)
}

function afterDiff(before: FileText, { oldText, newText, isDeletion }: Diff, replacesAll: boolean): FileText {
  if (isDeletion) return null
  // No piece of a file that there is: then it is the whole.
  if (oldText === null) return newText
  if (before === undefined) return undefined
  if (before === oldText || ((before ?? '') === '' && oldText === '')) return newText
  if (before === null || oldText === '') return undefined
  const pieces = before.split(oldText)
  if (pieces.length === 2 || (replacesAll && pieces.length > 2)) return pieces.join(newText)
  return undefined
}
