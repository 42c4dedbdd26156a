import type {
  HookEffect,
  HookProtocol,
  HookReply,
  HookRow,
  HookTable,
  Say,
  Words,
  ActReader,
  HookRegistration,
  HostReading,
  Environment,
} from './hook-table.ts'
import { given, jsonOf } from '@donecheck/engine/internal/base'
import {
  isTrueIn,
  jsonValueOf,
  numberIn,
  payloadOf,
  recordsIn,
  textIn,
  textOf,
  type HostAnswer,
  type HostCall,
  type HostEvent,
  type HostResult,
  type HostStop,
  type Payload,
  type HostAct,
  type HostEdit,
} from '../host/index.ts'
import type { ToolEffect } from '@donecheck/core/internal/events'

export function defineHookProtocol(table: HookTable): HookProtocol {
  const { agent, title, silentFailures, projectVariable, ownSettings, events } = table
  const rowOf = (word: string) => events.find(({ event, as = event }) => as === word)
  return {
    ...{ agent, title, silentFailures, registrations: events, ownSettings },
    ...given({ projectVariable }),
    read: (word, payload, environment) =>
      readHook(table, rowOf(word) ?? { event: word }, payload, environment),
    answer: (word, answer) => answerOf(table, rowOf(word), answer),
    effect: (reply) => effectOf(table, reply),
    sample: (word, place) => ({
      ...table.sample(place, rowOf(word)?.event ?? ''),
      ...rowOf(word)?.sample,
    }),
  }
}

function answerOf(table: HookTable, row: HookRow | undefined, answer: HostAnswer): HookReply {
  const words = row === undefined || row.isDeaf === true ? undefined : table.answers[row.tells]
  if (row === undefined || words === undefined) return silence
  const at = { event: row.event, answer }
  const notice = 'notice' in answer ? (answer.notice ?? '') : ''
  return jsonReply({
    ...sayAnswer(words, answer, table.hasHeading === true && row.tells === 'claim', at),
    ...(notice === '' ? {} : table.notice?.(inBounds(notice), at)),
  })
}

function sayAnswer(words: Words, answer: HostAnswer, hasHeading: boolean, at: Parameters<Say>[1]): object {
  const text = textOfAnswer(answer)
  if (answer.kind === 'pass') {
    if (answer.isOwnCheck === true) return words.permission?.('a check of this run', at) ?? {}
    return text === '' ? {} : (words.context?.(inBounds(text), at) ?? {})
  }
  if (answer.kind === 'end' && words.end !== undefined) return words.end(inBounds(text), at)
  return words.objection?.(inBounds(hasHeading ? `${blockedHeading}\n${text}` : text), at) ?? {}
}

function effectOf({ effect }: HookTable, { exitCode, stdout }: HookReply): HookEffect {
  if (exitCode !== 0) return 'invalid'
  if (stdout.trim() === '') return 'passed'
  const said = payloadOf(jsonOf(stdout))
  return said === undefined ? 'invalid' : effect(said)
}

function readHook(
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

/** @returns an error text if something is missing */
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
      return claimOf(table, fields, unattended)
    case 'failure':
      return { kind: 'turn-failed', message: failureIn(fields) }
    case 'over':
      return { kind: 'session-ended' }
  }
}

/** Our feedback and the end of background work also arrive as prompts. */
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

function claimOf(table: HookTable, fields: Payload, unattended: boolean | undefined): HostStop {
  const { claim, waiting = [] } = table.fields
  const text = claim === undefined ? '' : (textIn(fields, claim) ?? '')
  return {
    kind: 'stopping',
    text,
    ...(table.claimHoldsEarlier === true ? { textHoldsEarlier: true } : {}),
    wasBlocked: table.wasBlocked?.(fields) ?? isTrueIn(fields, 'stop_hook_active'),
    waitingFor: waiting
      // Unattended, an agent's timers end with its turn, so none is waited for.
      .filter((list) => unattended !== true || !list.endsWith('crons'))
      .flatMap((list) => recordsIn(fields, list).filter(isPending).map(nameOfWait)),
    ...(unattended !== true && asksSomething(text) ? { asksUser: true } : {}),
  }
}

function asksSomething(text: string): boolean {
  const last = text
    .split('\n')
    .map((line) => line.replaceAll(/[\s*_`"'”’)\]]+$/g, ''))
    .findLast((line) => line !== '')
  return last !== undefined && /[?？؟]$/.test(last)
}

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

function messageIn(error: unknown): string {
  return textIn(payloadOf(error), 'message') ?? textOf(error)
}

function textOfAnswer(answer: HostAnswer): string {
  if (answer.kind === 'pass') return answer.context ?? ''
  if (answer.kind === 'end') return answer.message
  return answer.kind === 'block' ? answer.feedback : answer.reason
}

const silence: HookReply = { exitCode: 0, stdout: '', stderr: '' }

function jsonReply(answer: object): HookReply {
  return Object.keys(answer).length === 0
    ? silence
    : { exitCode: 0, stdout: JSON.stringify(answer), stderr: '' }
}

/** Agents cut or move long answers, so we keep the two ends. */
const maxCharacters = 9000

function inBounds(text: string): string {
  if (text.length <= maxCharacters) return text
  const half = Math.floor(maxCharacters / 2)
  const omitted = text.length - 2 * half
  return `${text.slice(0, half)}\n[… ${omitted} characters left out …]\n${text.slice(-half)}`
}

/** Marks feedback that an agent passes to its model as a user message, to recognize the next prompt. */
const blockedHeading = 'donecheck: this is not done yet.'

function isBlockedFeedback(prompt: string): boolean {
  return prompt.trimStart().startsWith(blockedHeading)
}

const unknown: HostAct = { kind: 'unknown' }
const unreadableAct: HostAct = { kind: 'unreadable' }

const reads: ActReader = () => ({ kind: 'read' })

export function readers(names: readonly string[]): Readonly<Record<string, ActReader>> {
  return Object.fromEntries(names.map((name) => [name, reads]))
}

export function runs(commandName: string, folderName?: string): ActReader {
  return (args) => {
    const script = textIn(args, commandName)
    if (script === undefined) return unknown
    const folder = folderName === undefined ? undefined : textIn(args, folderName)
    return { kind: 'command', script, ...(folder === undefined || folder === '' ? {} : { folder }) }
  }
}

export function writes(pathNames: readonly string[], contentNames: readonly string[]): ActReader {
  return (args) => {
    const path = textIn(args, ...pathNames)
    if (path === undefined) return unreadableAct
    return { kind: 'write', path, ...given({ content: textIn(args, ...contentNames) }) }
  }
}

export function edits(
  pathNames: readonly string[],
  isAll: (edit: Payload) => boolean = replacesAll,
): ActReader {
  return (args) => {
    const path = textIn(args, ...pathNames)
    const several = recordsIn(args, 'edits')
    const made = (several.length > 0 ? several : [args]).map((edit) => editOf(edit, isAll))
    if (path === undefined) return unreadableAct
    const known = made.flatMap((edit) => edit ?? [])
    return known.length === made.length ? { kind: 'edit', path, edits: known } : { kind: 'write', path }
  }
}

export function patches(patchName: string): ActReader {
  return (args) => {
    const patch = textIn(args, patchName)
    return patch === undefined ? unreadableAct : { kind: 'patch', patch }
  }
}

function replacesAll(edit: Payload): boolean {
  return isTrueIn(edit, 'replace_all') || isTrueIn(edit, 'allow_multiple')
}

function editOf(edit: Payload, isAll: (edit: Payload) => boolean): HostEdit | undefined {
  const old = textIn(edit, 'old_string', 'old_str', 'oldText')
  const replacement = textIn(edit, 'new_string', 'new_str', 'newText')
  if (old === undefined || replacement === undefined) return undefined
  return { old, replacement, all: isAll(edit) }
}

export function actOf(tools: Readonly<Record<string, ActReader>>, tool: string, args: unknown): HostAct {
  const read = Object.hasOwn(tools, tool) ? tools[tool] : undefined
  return read === undefined ? unknown : read(payloadOf(args) ?? {}, args)
}

export function effectByName(
  reading: readonly string[],
  writing: readonly string[],
): (tool: string) => ToolEffect {
  return (tool) => (reading.includes(tool) ? 'read' : writing.includes(tool) ? 'write' : 'execute')
}
