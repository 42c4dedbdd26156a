/** The hooks of Cursor. */
import {
  answerIn,
  callEvent,
  inBounds,
  isTrueIn,
  jsonReply,
  numberIn,
  promptIn,
  readPlain,
  textIn,
  textOfAnswer,
  underHeading,
  type HookEffect,
  type HookProtocol,
  type HookReply,
  type HostAnswer,
  type HostEvent,
  type Payload,
  type PlainDialect,
  type SamplePlace,
} from '../../agents/index.ts'
import { cursorProgram } from './own-program.ts'
import { callOf, resultOf } from './translate-hooks.ts'

export const cursorHooks: HookProtocol = {
  agent: 'cursor',
  title: 'Cursor',
  registrations: [
    { event: 'sessionStart' },
    { event: 'beforeSubmitPrompt' },
    { event: 'preToolUse' },
    { event: 'postToolUse' },
    { event: 'postToolUseFailure' },
    { event: 'stop', verifies: true },
    { event: 'subagentStop' },
    { event: 'sessionEnd' },
  ],
  silentFailures: false,
  ownProgram: cursorProgram,
  projectVariable: 'CURSOR_PROJECT_DIR',
  ownSettings: () => ['.cursor/hooks.json', '~/.cursor/hooks.json'],
  read: (event, payload, environment) =>
    readPlain(dialect, event, payload, environment['CURSOR_PROJECT_DIR']),
  answer: (event, answer) => jsonReply(answerOf(event, answer)),
  effect: effectOf,
  sample: (event, place) => ({
    conversation_id: place.sessionId,
    generation_id: 'trial',
    model: 'trial',
    hook_event_name: event,
    cursor_version: 'trial',
    workspace_roots: [place.folder],
    user_email: null,
    transcript_path: null,
    ...samplesOf(place)[event],
  }),
}

const dialect: PlainDialect = {
  sessionNames: ['conversation_id', 'session_id'],
  eventOf,
  folderOf,
  isUnattended: (fields) => isTrueIn(fields, 'is_background_agent'),
}

/** A hook of the user runs in a folder of Cursor's: the project is the first of its roots. */
function folderOf(fields: Payload): string | undefined {
  const roots: unknown = fields['workspace_roots']
  const first: unknown = Array.isArray(roots) ? roots[0] : undefined
  return typeof first === 'string' && first !== '' ? first : undefined
}

/** A text says what is missing. */
function eventOf(event: string, fields: Payload): HostEvent | string {
  switch (event) {
    case 'sessionStart':
      return { kind: 'session-started', how: 'new' }
    case 'beforeSubmitPrompt':
      return promptIn(fields)
    case 'preToolUse':
      return callEvent(callOf(fields), 'tool_name')
    case 'postToolUse':
    case 'postToolUseFailure':
      return callEvent(callOf(fields), 'tool_name', () => resultOf(fields))
    case 'stop':
      return stopOf(fields)
    case 'subagentStop':
      return {
        ...claimOf(fields, textIn(fields, 'summary') ?? ''),
        subagent: { id: textIn(fields, 'subagent_id') ?? '', type: textIn(fields, 'subagent_type') ?? '' },
      }
    case 'sessionEnd':
      return { kind: 'session-ended' }
    default:
      return { kind: 'irrelevant' }
  }
}

/** Its user may have stopped it; then nothing was claimed. */
function stopOf(fields: Payload): HostEvent {
  const status = textIn(fields, 'status')
  if (status === 'aborted') return { kind: 'irrelevant' }
  if (status === 'error') return { kind: 'turn-failed', message: 'the turn ended with an error' }
  return claimOf(fields, '')
}

/** It does not tell its last words. */
function claimOf(fields: Payload, text: string) {
  return {
    kind: 'stopping' as const,
    text,
    wasSentBack: (numberIn(fields, 'loop_count') ?? 0) > 0,
    waitingFor: [],
  }
}

function answerOf(event: string, answer: HostAnswer): object {
  const text = textOfAnswer(answer)
  switch (event) {
    case 'stop':
      return answer.kind === 'pass' || answer.kind === 'end' ? {} : { followup_message: underHeading(text) }
    // Its question to the user is not kept there.
    case 'preToolUse':
      if (answer.kind === 'pass') return {}
      return { permission: 'deny', user_message: inBounds(text), agent_message: inBounds(text) }
    case 'beforeSubmitPrompt':
      return answer.kind === 'pass' ? {} : { continue: false, user_message: inBounds(text) }
    case 'postToolUse':
    case 'sessionStart':
      return text === '' ? {} : { additional_context: inBounds(text) }
    default:
      return {}
  }
}

function effectOf(event: string, reply: HookReply): HookEffect {
  const said = answerIn(reply)
  if (said === 'invalid') return reply.exitCode === 2 && event === 'preToolUse' ? 'refused' : 'invalid'
  if (said === 'nothing') return 'passed'
  if (event === 'stop' || event === 'subagentStop') {
    const message = textIn(said, 'followup_message')
    return message === undefined || message === '' ? 'passed' : 'held'
  }
  if (event === 'preToolUse') return textIn(said, 'permission') === 'deny' ? 'refused' : 'passed'
  return event === 'beforeSubmitPrompt' && said['continue'] === false ? 'refused' : 'passed'
}

function samplesOf({ script = 'true' }: SamplePlace): Readonly<Record<string, object>> {
  const call = { tool_name: 'Shell', tool_input: { command: script }, tool_use_id: 'trial-1' }
  return {
    sessionStart: { session_id: 'trial', is_background_agent: false, composer_mode: 'agent' },
    beforeSubmitPrompt: { prompt: 'a trial of the hooks', attachments: [] },
    preToolUse: call,
    postToolUse: { ...call, tool_output: '{"exitCode":0,"stdout":""}', duration: 1 },
    postToolUseFailure: {
      ...call,
      error_message: 'failed',
      failure_type: 'error',
      duration: 1,
      is_interrupt: false,
    },
    stop: { status: 'completed', loop_count: 0 },
    subagentStop: { subagent_type: 'explore', status: 'completed', summary: 'Done.', loop_count: 0 },
    sessionEnd: { session_id: 'trial', reason: 'completed', duration_ms: 1, is_background_agent: false },
  }
}
