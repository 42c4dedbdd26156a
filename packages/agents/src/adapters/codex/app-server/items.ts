import {
  jsonValueOf,
  recordsIn,
  numberIn,
  payloadOf,
  textIn,
  textOf,
  type Payload,
} from '../../../protocol/host/index.ts'
import type { AgentCall, AgentSignal } from '../../../protocol/stream/index.ts'
import type { JsonValue, PlanEntry, ToolEffect } from '@donecheck/core/events'
import type { TokenUsage } from '@donecheck/core/budgets'
import { given } from '@donecheck/engine/base'

/** Undefined when the item does nothing: a message, a thought, a plan or a note from Codex. */
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

function commandOf(reported: Payload, folder: string): JsonValue {
  const line = textIn(reported, 'command') ?? ''
  const where = textIn(reported, 'cwd')
  return {
    command: scriptOf(line) ?? line,
    ...(where === undefined || where === folder ? {} : { folder: where }),
  }
}

interface ItemEnd {
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

function contentOf(item: Payload): readonly string[] {
  const result = payloadOf(item['result'])
  const parts = result === undefined ? recordsIn(item, 'contentItems') : recordsIn(result, 'content')
  return parts.map((part) => textIn(part, 'text') ?? textOf(part))
}

export interface FileUpdate {
  /** Absolute, as Codex gives it. */
  readonly path: string
  readonly kind: 'add' | 'delete' | 'update'
  readonly movedTo: string | undefined
  /** Of an update a unified diff without its header; otherwise the whole content. */
  readonly diff: string
}

function updatesOf(item: Payload): readonly FileUpdate[] {
  return recordsIn(item, 'changes').map((change) => {
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

export function planOfTurn(params: Payload): Extract<AgentSignal, { kind: 'plan' }> {
  const entries = recordsIn(params, 'plan').map((step) => ({
    text: textIn(step, 'step') ?? '',
    state: stateOf(textIn(step, 'status')),
  }))
  return { kind: 'plan', entries }
}

function stateOf(status: string | undefined): PlanEntry['state'] {
  if (status === 'completed') return 'completed'
  return status === 'inProgress' ? 'in-progress' : 'pending'
}

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

/** The program and its option, as Codex starts the commands of its model: `/bin/bash -lc 'script'`. */
const shells = /^(?:\S*\/)?(?:ba|z|da|k)?sh$/

/**
 * What the shell is to run, out of a command line whose words Codex has quoted. Undefined: it is not of that form, and the
 * line itself says all.
 */
export function scriptOf(command: string): string | undefined {
  const words = splitQuotedWords(command)
  if (words?.length !== 3) return undefined
  const [program = '', option = '', script] = words
  return shells.test(program) && /^-l?c$/.test(option) ? script : undefined
}

const token = /\\(.)|'([^']*)'|"((?:\\.|[^"\\])*)"|(\s+)|([^\s\\'"]+|.)/gsy

/** Undefined when a quote is never closed. */
function splitQuotedWords(line: string): readonly string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  for (const [, escaped, single, double, space, plain] of line.matchAll(token)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    if (plain === '"' || plain === "'" || plain === '\\') return undefined
    word = (word ?? '') + (escaped ?? single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? plain ?? '')
  }
  return word === undefined ? words : [...words, word]
}

export type AppServerNews =
  | { readonly kind: 'signal'; readonly signal: AgentSignal }
  | PermissionRequest
  | { readonly kind: 'step'; readonly threadId: string; readonly usage: TokenUsage }
  | { readonly kind: 'pause-goal' }
  /** Nobody sits there who could answer it: it is answered with no, and the model hears why. */
  | {
      readonly kind: 'declined'
      readonly id: JsonValue
      readonly result: JsonValue
      readonly threadId: string
      readonly turnId: string | undefined
      readonly reason: string
    }
  | { readonly kind: 'unanswerable'; readonly id: JsonValue; readonly method: string }
  | { readonly kind: 'stray-turn'; readonly turnId: string }

export interface PermissionRequest {
  readonly kind: 'asked'
  readonly requestId: JsonValue
  readonly call: AgentCall
  readonly itemId: string
  readonly threadId: string
  readonly turnId: string
  readonly subject:
    /** `asksToLeave`: Codex says that it would run outside of the sandbox. Where it says nothing, the record tells. */
    | {
        readonly kind: 'command'
        readonly script: string
        readonly folder: string
        readonly asksToLeave: string | undefined
        readonly isRepeated: boolean
      }
    | { readonly kind: 'change'; readonly updates: readonly FileUpdate[] }
    | { readonly kind: 'other' }
}

export function callOfRequest(
  method: string,
  params: Payload,
  {
    item,
    callId,
    folder,
  }: { readonly item: Payload | undefined; readonly callId: string; readonly folder: string },
): AgentCall {
  const reported = item === undefined ? undefined : callOfItem(item, folder)
  if (reported !== undefined && !isStdin(params)) return { ...reported, callId }
  if (method === 'item/fileChange/requestApproval')
    return { kind: 'call', callId, tool: 'apply_patch', args: {}, effect: 'write' }
  const tool = isStdin(params) ? 'write_stdin' : 'exec_command'
  return { kind: 'call', callId, tool, args: commandOf(params, folder), effect: 'execute' }
}

function isStdin(params: Payload): boolean {
  return textIn(params, 'kind') === 'writeStdin'
}

export function subjectOf(
  method: string,
  params: Payload,
  {
    item,
    isRepeated,
    folder,
  }: { readonly item: Payload | undefined; readonly isRepeated: boolean; readonly folder: string },
): PermissionRequest['subject'] {
  if (method === 'item/fileChange/requestApproval')
    return item === undefined ? { kind: 'other' } : { kind: 'change', updates: updatesOf(item) }
  const kind = textIn(params, 'kind') ?? 'command'
  const asked = commandOf(params, folder)
  const script = textIn(payloadOf(asked), 'command') ?? ''
  if (kind !== 'command' || script === '') return { kind: 'other' }
  return {
    kind: 'command',
    script,
    folder: textIn(params, 'cwd') ?? folder,
    asksToLeave:
      textIn(params, 'reason') ??
      (payloadOf(params['additionalPermissions']) === undefined ? undefined : 'it needs more permissions'),
    isRepeated,
  }
}
