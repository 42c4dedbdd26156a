/** What an agent tells its hook, by the table of its hooks. Pure. */
import type { HookRegistration, HostReading } from './hook-protocol.ts'
import type { HostCall, HostEvent, HostResult, HostStop } from '../host/index.ts'
import { actOf } from './acts.ts'
import type { Environment, HookRow, HookTable } from './hook-table.ts'
import {
  isTrueIn,
  jsonValueOf,
  listIn,
  numberIn,
  payloadOf,
  textIn,
  textOf,
  type Payload,
} from './payload.ts'
import { isBlockedFeedback } from './replies.ts'
import { given } from '@donecheck/engine/base'

/** @param row without `tells` it is one that nobody has registered */
export function readHook(
  table: HookTable,
  row: HookRow | (HookRegistration & { readonly tells?: never }),
  payload: unknown,
  environment: Environment,
): HostReading {
  const { session = ['session_id'] } = table.fields
  const fields = payloadOf(payload)
  if (fields === undefined) return unreadable('the agent sent no object')
  const sessionId = textIn(fields, ...session)
  if (sessionId === undefined || sessionId === '')
    return unreadable(`the agent sent no "${session[0] ?? ''}"`)
  const named = textIn(fields, 'hook_event_name')
  if (named !== undefined && named !== row.event)
    return unreadable(`this hook is registered for ${row.event}, and was called for ${named}`)
  const unattended = table.unattended?.(fields, environment)
  const usual = row.tells === undefined ? nothing : usualEvent(table, row, fields, unattended)
  if (typeof usual === 'string') return unreadable(usual)
  const said = table.folder === undefined ? textIn(fields, 'cwd') : table.folder(fields)
  const folder = said === '' || said === undefined ? environment[table.projectVariable ?? ''] : said
  return {
    kind: 'read',
    sessionId,
    event: row.tells === undefined || row.read === undefined ? usual : row.read(usual, fields),
    ...(folder === undefined || folder === '' ? {} : { folder }),
    ...given({ unattended }),
  }
}

const nothing: HostEvent = { kind: 'irrelevant' }

function unreadable(problem: string): HostReading {
  return { kind: 'unreadable', problem }
}

/** What a hook of its kind means. A text says what is missing. */
function usualEvent(
  table: HookTable,
  row: HookRow,
  fields: Payload,
  unattended: boolean | undefined,
): HostEvent | string {
  switch (row.tells) {
    case 'start':
      return { kind: 'session-started' }
    case 'prompt':
      return promptIn(fields)
    case 'proposal':
    case 'result':
      return callEvent(table, row, fields)
    case 'claim':
      return claimOf(table, row, fields, unattended)
    case 'failure':
      return { kind: 'turn-failed', message: failureIn(fields) }
    case 'over':
      return { kind: 'session-ended' }
  }
}

/**
 * What the user asks for. What we answered to a blocked stop comes as a prompt too, and is none; nor is that of an agent which wakes itself at
 * the end of work in the background.
 */
function promptIn(fields: Payload): HostEvent | string {
  const prompt = textIn(fields, 'prompt')
  if (prompt === undefined) return 'the agent sent no "prompt"'
  const isNotification = prompt.trimStart().startsWith('<task-notification>')
  return isNotification || isBlockedFeedback(prompt) ? nothing : { kind: 'prompted', prompt }
}

function callEvent(table: HookTable, row: HookRow, fields: Payload): HostEvent | string {
  const { tool: name = 'tool_name', args: argsName = 'tool_input', callId } = table.fields
  const tool = textIn(fields, name)
  if (tool === undefined || tool === '') return `the agent sent no "${name}"`
  const raw = fields[argsName]
  const args = table.parsedArguments === undefined ? raw : table.parsedArguments(raw)
  const call: HostCall = {
    callId: callId === undefined ? '' : (textIn(fields, callId) ?? ''),
    tool,
    args: jsonValueOf(args),
    act: actOf(table.tools, tool, args),
  }
  if (row.tells === 'proposal') return { kind: 'tool-proposed', call }
  return { kind: 'tool-finished', call, result: resultOf(table, row, fields) }
}

function resultOf({ fields: names, result }: HookTable, row: HookRow, fields: Payload): HostResult {
  const { error = 'error', duration = 'duration_ms' } = names
  const failure = fields[error] ?? undefined
  const hasFailed = row.hasFailed === true || failure !== undefined
  return {
    ...(hasFailed ? { status: 'error', output: messageIn(failure) } : result(fields)),
    ...given({ durationMs: numberIn(fields, duration) }),
  }
}

function claimOf(
  table: HookTable,
  { ofSubagent }: HookRow,
  fields: Payload,
  unattended: boolean | undefined,
): HostStop {
  const { claim, subagentClaim, subagent, waiting = [] } = table.fields
  const name = ofSubagent === true ? subagentClaim : claim
  const text = name === undefined ? '' : (textIn(fields, name) ?? '')
  const { id, types } = subagent ?? { id: 'agent_id', types: ['agent_type'] }
  return {
    kind: 'stopping',
    text,
    ...(table.claimHoldsEarlier === true ? { textHoldsEarlier: true } : {}),
    wasBlocked: table.wasBlocked?.(fields) ?? isTrueIn(fields, 'stop_hook_active'),
    waitingFor: waiting
      // An agent before which nobody sits ends with its turn, and its timers with it: none of them is waited for.
      .filter((list) => unattended !== true || !list.endsWith('crons'))
      .flatMap((list) => listIn(fields, list).filter(isPending).map(nameOfWait)),
    ...(unattended !== true && asksSomething(text) ? { asksUser: true } : {}),
    ...(ofSubagent === true
      ? { subagent: { id: textIn(fields, id) ?? '', type: textIn(fields, ...types) ?? '' } }
      : {}),
  }
}

/** A guess, and used only where somebody may sit before it: the last line, without marks of emphasis and quotes, is a question. */
function asksSomething(text: string): boolean {
  const last = text
    .split('\n')
    .map((line) => line.replaceAll(/[\s*_`"'”’)\]]+$/g, ''))
    .findLast((line) => line !== '')
  return last !== undefined && /[?？؟]$/.test(last)
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

function failureIn(fields: Payload): string {
  const parts = [messageIn(fields['error']), textIn(fields, 'error_details', 'last_assistant_message')]
  return parts.filter((part) => part !== undefined && part !== '').join(': ')
}

/** Of an error: a text, or an object with a message. */
function messageIn(error: unknown): string {
  return textIn(payloadOf(error), 'message') ?? textOf(error)
}
