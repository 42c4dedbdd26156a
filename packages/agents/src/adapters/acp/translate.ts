/** A tool call of the protocol in the words of the kit. Pure. */
import { boundText, type AgentCall } from '../../protocol/stream/index.ts'
import { oneLine } from '@donecheck/core/base'
import type { JsonValue, ToolEffect } from '@donecheck/core/events'
import type { Action } from '@donecheck/engine/ports/gate'
import { scriptOf } from './calls/script-of.ts'
import { isRecord, type ToolCallNews, type ToolKind } from './calls/tool-call.ts'
import { given } from '@donecheck/engine/base'

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

/** Agents under these names work through calls of their own. */
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

export function summaryOf(call: ToolCallNews): string {
  const { kind = 'other', name = kind, title = '', paths = [] } = call
  const about = kind === 'execute' ? (scriptOf(call) ?? title) : title === '' ? paths.join(' ') : title
  const line = about === '' || about === name ? name : `${name}: ${about}`
  return oneLine(line, maxSummaryLength)
}

/** The input where the agent tells it; otherwise all that tells this call from another one. */
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

/** For a person who must decide: what would be another text afterwards. */
export function previewOf(action: Action | undefined): string | undefined {
  if (action?.kind !== 'change') return undefined
  const shown = action.files.map(({ path, before, after }) => {
    if (after === null) return `delete ${path}`
    if (after === undefined) return `change ${path}; how, the agent does not show`
    return `${typeof before === 'string' ? 'change' : 'create'} ${path} to:\n${after}`
  })
  return boundText(shown.join('\n\n'))
}
