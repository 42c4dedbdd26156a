import {
  jsonValueOf,
  recordsIn,
  numberIn,
  payloadOf,
  textIn,
  textOf,
  type Payload,
  fieldOf,
  reportedUsage,
} from '../../../protocol/host/index.ts'
import type { AgentCall, AgentSignal } from '../../../protocol/stream/index.ts'
import type { JsonValue, PlanEntry, ToolEffect } from '@donecheck/core/internal/events'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import { given } from '@donecheck/engine/internal/base'

/** Undefined for items without an action: a message, a thought, a plan or a note from Codex. */
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
        ...call(
          'apply_patch',
          {
            changes: updatesOf(item).map(({ movedTo, ...update }) => ({ ...update, ...given({ movedTo }) })),
          },
          'write',
        ),
        preview: updatesOf(item)
          .map(({ path, kind, diff }) => `${kind} ${path}\n${diff}`)
          .join('\n'),
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

export function endOfItem(item: Payload): { readonly status: 'ok' | 'error'; readonly output: string } {
  const status = textIn(item, 'status') ?? 'completed'
  const exitCode = numberIn(item, 'exitCode') ?? 0
  const content = recordsIn(item, 'contentItems').concat(recordsIn(item['result'], 'content'))
  const output = [
    textIn(item, 'aggregatedOutput'),
    ...content.map((part) => textIn(part, 'text') ?? textOf(part)),
    textIn(item['error'], 'message'),
    exitCode === 0 ? undefined : `exit code ${exitCode}`,
  ].filter((part) => part !== undefined && part !== '')
  return {
    status: status === 'completed' && exitCode === 0 ? 'ok' : 'error',
    output: output.length > 0 ? output.join('\n') : [status, pathsOf(item)].join(' ').trim(),
  }
}

export interface FileUpdate {
  readonly path: string
  readonly kind: 'add' | 'delete' | 'update'
  readonly movedTo: string | undefined
  /** For an update a unified diff without its header, otherwise the full content. */
  readonly diff: string
}

function updatesOf(item: Payload): readonly FileUpdate[] {
  return recordsIn(item, 'changes').map((change) => {
    const type = textIn(change['kind'], 'type')
    return {
      path: textIn(change, 'path') ?? '',
      kind: type === 'add' || type === 'delete' ? type : 'update',
      movedTo: textIn(change['kind'], 'move_path'),
      diff: textIn(change, 'diff') ?? '',
    }
  })
}

function pathsOf(item: Payload): string {
  return updatesOf(item)
    .map(({ path, kind }) => `${kind} ${path}`)
    .join(', ')
}

export function planOfTurn(params: Payload): Extract<AgentSignal, { kind: 'plan' }> {
  const states: Readonly<Record<string, PlanEntry['state']>> = {
    completed: 'completed',
    inProgress: 'in-progress',
  }
  const entries = recordsIn(params, 'plan').map((step) => ({
    text: textIn(step, 'step') ?? '',
    state: states[textIn(step, 'status') ?? ''] ?? 'pending',
  }))
  return { kind: 'plan', entries }
}

export function usageOf(counts: unknown): TokenUsage | undefined {
  return reportedUsage({
    inputTokens: fieldOf(counts, 'inputTokens'),
    outputTokens: fieldOf(counts, 'outputTokens'),
    cachedInputTokens: fieldOf(counts, 'cachedInputTokens'),
    reasoningTokens: fieldOf(counts, 'reasoningOutputTokens'),
  })
}

const shells = /^(?:\S*\/)?(?:ba|z|da|k)?sh$/

/** The script in a line such as `/bin/bash -lc 'script'`. @returns undefined for any other line */
export function scriptOf(command: string): string | undefined {
  const words = splitQuotedWords(command)
  if (words?.length !== 3) return undefined
  const [program = '', option = '', script] = words
  return shells.test(program) && /^-l?c$/.test(option) ? script : undefined
}

const token = /\\(.)|'([^']*)'|"((?:\\.|[^"\\])*)"|(\s+)|([^\s\\'"]+|.)/gsy

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

export interface PermissionRequest {
  readonly kind: 'asked'
  readonly requestId: JsonValue
  readonly call: AgentCall
  readonly itemId: string
  readonly threadId: string
  readonly turnId: string
  readonly subject:
    /** `asksToLeave`: Codex's reason to run outside the sandbox; if absent, see the record. */
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

interface RequestContext {
  readonly item: Payload | undefined
  readonly folder: string
}

const changeRequest = 'item/fileChange/requestApproval'

export function callOfRequest(
  method: string,
  params: Payload,
  { item, callId, folder }: RequestContext & { readonly callId: string },
): AgentCall {
  const isStdin = textIn(params, 'kind') === 'writeStdin'
  const reported = item === undefined ? undefined : callOfItem(item, folder)
  if (reported !== undefined && !isStdin) return { ...reported, callId }
  if (method === changeRequest)
    return { kind: 'call', callId, tool: 'apply_patch', args: {}, effect: 'write' }
  const tool = isStdin ? 'write_stdin' : 'exec_command'
  return { kind: 'call', callId, tool, args: commandOf(params, folder), effect: 'execute' }
}

export function subjectOf(
  method: string,
  params: Payload,
  { item, isRepeated, folder }: RequestContext & { readonly isRepeated: boolean },
): PermissionRequest['subject'] {
  if (method === changeRequest)
    return item === undefined ? { kind: 'other' } : { kind: 'change', updates: updatesOf(item) }
  const script = textIn(commandOf(params, folder), 'command') ?? ''
  if ((textIn(params, 'kind') ?? 'command') !== 'command' || script === '') return { kind: 'other' }
  const isMore = payloadOf(params['additionalPermissions']) !== undefined
  return {
    kind: 'command',
    script,
    folder: textIn(params, 'cwd') ?? folder,
    asksToLeave: textIn(params, 'reason') ?? (isMore ? 'it needs more permissions' : undefined),
    isRepeated,
  }
}
