/** What `codex app-server` tells of a turn: its calls and their ends, the plan, and what was used. Pure. */
import {
  jsonValueOf,
  listIn,
  numberIn,
  payloadOf,
  textIn,
  textOf,
  type Payload,
} from '../../../protocol/hooks/index.ts'
import type { AgentCall, AgentSignal } from '../../../protocol/stream/index.ts'
import type { JsonValue, PlanEntry, ToolEffect } from '@donecheck/core/events'
import type { TokenUsage } from '@donecheck/core/budgets'
import { scriptOf } from './shell-script.ts'
import { given } from '@donecheck/engine/base'

/** Undefined: nothing is done by it (a message, a thought, a plan, a note of Codex). */
export function callOfItem(item: Payload, folder: string): AgentCall | undefined {
  const callId = textIn(item, 'id') ?? ''
  const call = (tool: string, args: JsonValue, effect: ToolEffect): AgentCall => ({
    kind: 'call',
    ...{ callId, tool, args, effect },
  })
  switch (textIn(item, 'type')) {
    case 'commandExecution':
      return call('exec_command', commandOf(item, folder), 'execute')
    case 'fileChange':
      return {
        ...call('apply_patch', { changes: changesOf(item) }, 'write'),
        preview: diffOf(item),
        summary: `change ${pathsOf(item)}`,
      }
    case 'mcpToolCall':
      return call(
        `${textIn(item, 'server') ?? 'mcp'}/${textIn(item, 'tool') ?? 'tool'}`,
        jsonValueOf(item['arguments']),
        'execute',
      )
    case 'dynamicToolCall':
      return call(textIn(item, 'tool') ?? 'tool', jsonValueOf(item['arguments']), 'execute')
    case 'collabAgentToolCall':
      return {
        ...call(`collab/${textIn(item, 'tool') ?? 'agent'}`, { prompt: textOf(item['prompt']) }, 'execute'),
        holdsOthers: true,
      }
    case 'webSearch':
      return call('web_search', { query: textIn(item, 'query') ?? '' }, 'read')
    case 'imageView':
      return call('view_image', { path: textIn(item, 'path') ?? '' }, 'read')
    case 'sleep':
      return call('sleep', {}, 'read')
    default:
      return undefined
  }
}

/** The same of a command that is asked for, where the item has not been told. */
export function commandOf(reported: Payload, folder: string): JsonValue {
  const line = textIn(reported, 'command') ?? ''
  const where = textIn(reported, 'cwd')
  return {
    command: scriptOf(line) ?? line,
    ...(where === undefined || where === folder ? {} : { folder: where }),
  }
}

export interface ItemEnd {
  readonly status: 'ok' | 'error'
  readonly output: string
}

export function endOfItem(item: Payload): ItemEnd {
  const status = textIn(item, 'status') ?? 'completed'
  const exitCode = numberIn(item, 'exitCode') ?? 0
  const isOk = status === 'completed' && exitCode === 0
  const said = [
    textIn(item, 'aggregatedOutput'),
    ...contentOf(item),
    textIn(payloadOf(item['error']), 'message'),
    exitCode === 0 ? undefined : `exit code ${exitCode}`,
  ]
  const output = said.filter((part) => part !== undefined && part !== '').join('\n')
  if (output !== '') return { status: isOk ? 'ok' : 'error', output }
  return { status: isOk ? 'ok' : 'error', output: [status, pathsOf(item)].join(' ').trim() }
}

/** What a tool of an MCP server has answered. */
function contentOf(item: Payload): readonly string[] {
  const result = payloadOf(item['result'])
  const parts = result === undefined ? listIn(item, 'contentItems') : listIn(result, 'content')
  return parts.map((part) => textIn(part, 'text') ?? textOf(part))
}

export interface FileUpdate {
  /** As Codex gives it: absolute. */
  readonly path: string
  readonly kind: 'add' | 'delete' | 'update'
  /** Of an update, where the file is renamed too. */
  readonly movedTo: string | undefined
  /** Of an update a unified diff without its header; otherwise the whole content. */
  readonly diff: string
}

export function updatesOf(item: Payload): readonly FileUpdate[] {
  return listIn(item, 'changes').map((change) => {
    const kind = payloadOf(change['kind'])
    const type = textIn(kind, 'type')
    return {
      path: textIn(change, 'path') ?? '',
      kind: type === 'add' || type === 'delete' ? type : 'update',
      movedTo: textIn(kind, 'move_path'),
      diff: textIn(change, 'diff') ?? '',
    }
  })
}

function changesOf(item: Payload): JsonValue {
  return updatesOf(item).map(({ path, kind, movedTo, diff }) => ({
    ...{ path, kind, diff },
    ...given({ movedTo }),
  }))
}

function pathsOf(item: Payload): string {
  return updatesOf(item)
    .map(({ path, kind }) => `${kind} ${path}`)
    .join(', ')
}

function diffOf(item: Payload): string {
  return updatesOf(item)
    .map(({ path, kind, diff }) => `${kind} ${path}\n${diff}`)
    .join('\n')
}

/** Of `turn/plan/updated`. An entry in a state that nobody knows is not done. */
export function planOfTurn(params: Payload): Extract<AgentSignal, { kind: 'plan' }> {
  const entries = listIn(params, 'plan').map((step) => ({
    text: textIn(step, 'step') ?? '',
    state: stateOf(textIn(step, 'status')),
  }))
  return { kind: 'plan', entries }
}

function stateOf(status: string | undefined): PlanEntry['state'] {
  if (status === 'completed') return 'completed'
  return status === 'inProgress' ? 'in-progress' : 'pending'
}

/** What a thread has used. Undefined: it says nothing that could be counted. */
export function usageOf(value: unknown): TokenUsage | undefined {
  const counts = payloadOf(value)
  if (counts === undefined) return undefined
  const count = (name: string) => tokens(numberIn(counts, name))
  const inputTokens = count('inputTokens')
  const outputTokens = count('outputTokens')
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  return {
    inputTokens,
    outputTokens,
    ...given({
      cachedInputTokens: partOf(inputTokens, count('cachedInputTokens')),
      reasoningTokens: partOf(outputTokens, count('reasoningOutputTokens')),
    }),
    estimated: false,
  }
}

function partOf(whole: number, part: number | undefined): number | undefined {
  return part === undefined ? undefined : Math.min(part, whole)
}

function tokens(count: number | undefined): number | undefined {
  return count === undefined ? undefined : Math.max(0, Math.trunc(count))
}
