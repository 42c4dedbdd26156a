/** The hooks of Claude Code, and of the agents that took over its shape: Codex and Qwen Code. What differs is in the dialect. */
import type { HostAct, HostCall, HostEvent, HostResult, HostStop } from '../host-event.ts'
import type { HostReading } from '../hook-protocol.ts'
import { openPayload, unreadable } from './opening.ts'
import { promptIn } from './plain-events.ts'
import { isTrueIn, jsonOf, listIn, numberIn, payloadOf, textIn, textOf, type Payload } from './payload.ts'
import { asksSomething } from './question.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ClaudeDialect {
  readonly act: (tool: string, args: Payload | undefined) => HostAct
  /** Of a call that the agent reports as done. */
  readonly result: (tool: string, response: unknown) => HostResult
  /** Names of the lists of what it still waits for. */
  readonly waitingLists: readonly string[]
  /** True: nobody sits before it. Undefined: nobody can say. */
  readonly unattended: (payload: Payload, environment: Environment) => boolean | undefined
}

/** @param event as it stands in the command of the hook; what the payload says of itself must agree */
export function readClaudeShaped(
  event: string,
  payload: unknown,
  environment: Environment,
  dialect: ClaudeDialect,
): HostReading {
  const opened = openPayload(event, payload, 'session_id')
  if (opened.kind === 'unreadable') return opened
  const { fields, sessionId } = opened
  const unattended = dialect.unattended(fields, environment)
  const read = eventOf(event, fields, dialect, unattended)
  if (typeof read === 'string') return unreadable(read)
  const folder = textIn(fields, 'cwd')
  const record = textIn(fields, 'transcript_path')
  return {
    kind: 'read',
    sessionId,
    event: read,
    ...(folder === undefined || folder === '' ? {} : { folder }),
    ...(unattended === undefined ? {} : { unattended }),
    ...(record === undefined ? {} : { record }),
  }
}

/** A text says what is missing. */
function eventOf(
  event: string,
  fields: Payload,
  dialect: ClaudeDialect,
  unattended: boolean | undefined,
): HostEvent | string {
  switch (event) {
    case 'SessionStart':
      return { kind: 'session-started', how: howStarted(textIn(fields, 'source')) }
    case 'UserPromptSubmit':
      return promptOf(fields)
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return toolEventOf(event, fields, dialect)
    case 'Stop':
      return stopOf(fields, dialect, unattended)
    case 'SubagentStop':
      return {
        ...stopOf(fields, dialect, unattended),
        subagent: { id: textIn(fields, 'agent_id') ?? '', type: textIn(fields, 'agent_type') ?? '' },
      }
    case 'StopFailure':
      return { kind: 'turn-failed', message: failureOf(fields) }
    case 'SessionEnd':
      return { kind: 'session-ended' }
    default:
      return { kind: 'irrelevant' }
  }
}

function howStarted(source: string | undefined): 'new' | 'resumed' | 'compacted' {
  if (source === 'resume' || source === 'fork') return 'resumed'
  return source === 'compact' ? 'compacted' : 'new'
}

function promptOf(fields: Payload): HostEvent | string {
  return isNotification(textIn(fields, 'prompt') ?? '') ? { kind: 'irrelevant' } : promptIn(fields)
}

/** The agent wakes itself at the end of work in the background: nobody has asked for anything new. */
function isNotification(prompt: string): boolean {
  return prompt.trimStart().startsWith('<task-notification>')
}

function toolEventOf(event: string, fields: Payload, dialect: ClaudeDialect): HostEvent | string {
  const call = callOf(fields, dialect)
  if (call === undefined) return 'the agent sent no "tool_name"'
  if (event === 'PreToolUse') return { kind: 'tool-proposed', call }
  const durationMs = numberIn(fields, 'duration_ms')
  const result =
    event === 'PostToolUse'
      ? dialect.result(call.tool, fields['tool_response'])
      : { status: 'error' as const, output: textOf(fields['error']) }
  return {
    kind: 'tool-finished',
    call,
    result: { ...result, ...(durationMs === undefined ? {} : { durationMs }) },
  }
}

function callOf(fields: Payload, { act }: ClaudeDialect): HostCall | undefined {
  const tool = textIn(fields, 'tool_name')
  if (tool === undefined || tool === '') return undefined
  return {
    callId: textIn(fields, 'tool_use_id') ?? '',
    tool,
    args: jsonOf(fields['tool_input']),
    act: act(tool, payloadOf(fields['tool_input'])),
  }
}

function stopOf(fields: Payload, { waitingLists }: ClaudeDialect, unattended: boolean | undefined): HostStop {
  const text = textIn(fields, 'last_assistant_message') ?? ''
  return {
    kind: 'stopping',
    text,
    wasSentBack: isTrueIn(fields, 'stop_hook_active'),
    waitingFor: waitingLists
      .filter((name) => unattended !== true || !isTimers(name))
      .flatMap((name) => listIn(fields, name).filter(isPending).map(nameOfWait)),
    ...(unattended !== true && asksSomething(text) ? { asksUser: true } : {}),
  }
}

/** An agent before which nobody sits ends with its turn, and its timers with it: none of them is waited for. */
function isTimers(list: string): boolean {
  return list.endsWith('crons')
}

/** Some agents list what is over too. */
function isPending(task: Payload): boolean {
  const status = textIn(task, 'status')
  return status === undefined || !/^(?:completed|failed|cancel|kill|stopp|error|done|paused)/i.test(status)
}

function nameOfWait(task: Payload): string {
  const said = textIn(task, 'command', 'description', 'name', 'prompt', 'schedule', 'id')
  return (said ?? 'a task in the background').slice(0, 200)
}

function failureOf(fields: Payload): string {
  const parts = [textIn(fields, 'error'), textIn(fields, 'error_details', 'last_assistant_message')]
  return parts.filter((part) => part !== undefined && part !== '').join(': ')
}
