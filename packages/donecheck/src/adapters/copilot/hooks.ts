/** The hooks of GitHub Copilot CLI, by its own names of events. */
import {
  answerIn,
  callEvent,
  inBounds,
  isTrueIn,
  jsonReply,
  payloadOf,
  promptIn,
  readPlain,
  textIn,
  textOfAnswer,
  textOf,
  underHeading,
  variableIn,
  type HookEffect,
  type HookProtocol,
  type HookReply,
  type HostAnswer,
  type HostEvent,
  type Payload,
  type SamplePlace,
} from '../../agents/index.ts'
import { copilotProgram } from './own-program.ts'
import { callOf, resultOf } from './translate-hooks.ts'

export const copilotHooks: HookProtocol = {
  agent: 'copilot',
  title: 'Copilot CLI',
  registrations: [
    { event: 'sessionStart' },
    { event: 'userPromptSubmitted' },
    { event: 'preToolUse' },
    { event: 'postToolUse' },
    { event: 'postToolUseFailure' },
    { event: 'agentStop', verifies: true },
    { event: 'subagentStop' },
    { event: 'errorOccurred' },
    { event: 'sessionEnd' },
  ],
  silentFailures: false,
  ownProgram: copilotProgram,
  projectVariable: 'COPILOT_PROJECT_DIR',
  ownSettings: (environment) => {
    const home = variableIn(environment, 'COPILOT_HOME') ?? '~/.copilot'
    const own = ['hooks', 'settings.json', 'config.json'].map((name) => `${home}/${name}`)
    return ['.github/hooks', '.github/copilot', ...own]
  },
  read: (event, payload) =>
    readPlain(
      { sessionNames: ['sessionId'], eventOf, folderOf: (fields) => textIn(fields, 'cwd') },
      event,
      payload,
    ),
  answer: (event, answer) => jsonReply(answerOf(event, answer)),
  effect: effectOf,
  sample: (event, place) => ({
    sessionId: place.sessionId,
    timestamp: 1767225600000,
    cwd: place.folder,
    ...samplesOf(place)[event],
  }),
}

/** A text says what is missing. */
function eventOf(event: string, fields: Payload): HostEvent | string {
  switch (event) {
    case 'sessionStart':
      return { kind: 'session-started', how: textIn(fields, 'source') === 'resume' ? 'resumed' : 'new' }
    case 'userPromptSubmitted':
      return promptIn(fields)
    case 'preToolUse':
      return callEvent(callOf(fields), 'toolName')
    case 'postToolUse':
    case 'postToolUseFailure':
      return callEvent(callOf(fields), 'toolName', () => resultOf(fields))
    case 'agentStop':
      return stopOf(fields, '')
    case 'subagentStop':
      return {
        ...stopOf(fields, textIn(fields, 'response') ?? ''),
        subagent: {
          id: textIn(fields, 'agentId') ?? '',
          type: textIn(fields, 'agentType', 'agentName') ?? '',
        },
      }
    case 'errorOccurred':
      return failureOf(fields)
    case 'sessionEnd':
      return { kind: 'session-ended' }
    default:
      return { kind: 'irrelevant' }
  }
}

/** It does not tell its last words. */
function stopOf(fields: Payload, text: string) {
  return {
    kind: 'stopping' as const,
    text,
    wasSentBack: isTrueIn(fields, 'stop_hook_active'),
    waitingFor: [],
  }
}

/** Errors of tools, and those that it gets over, end no turn. */
function failureOf(fields: Payload): HostEvent {
  if (isTrueIn(fields, 'recoverable') || textIn(fields, 'errorContext') === 'tool_execution')
    return { kind: 'irrelevant' }
  const error = fields['error']
  return { kind: 'turn-failed', message: textIn(payloadOf(error), 'message') ?? textOf(error) }
}

/** Nothing is said by an exit code: 2 is a warning at the claim. */
function answerOf(event: string, answer: HostAnswer): object {
  const text = textOfAnswer(answer)
  switch (event) {
    case 'agentStop':
    case 'subagentStop':
      if (answer.kind === 'pass' || answer.kind === 'end') return noticeOf(answer)
      return { decision: 'block', reason: underHeading(text) }
    case 'preToolUse':
      if (answer.kind === 'pass') return {}
      return {
        permissionDecision: answer.kind === 'ask' ? 'ask' : 'deny',
        permissionDecisionReason: inBounds(text),
      }
    // It cannot be ended there: the model is told, and its next call is refused.
    case 'postToolUse':
    case 'sessionStart':
      return text === '' ? {} : { additionalContext: inBounds(text) }
    default:
      return {}
  }
}

/** A line of progress is shown to the person, and is no decision. */
function noticeOf(answer: HostAnswer & { readonly kind: 'pass' | 'end' }): object {
  const message = answer.kind === 'end' ? answer.message : (answer.notice ?? '')
  return message === '' ? {} : { type: 'progress', message: inBounds(message) }
}

function effectOf(event: string, reply: HookReply): HookEffect {
  const said = answerIn(reply)
  // Of a broken hook before a call it says that it refuses.
  if (said === 'invalid') return event === 'preToolUse' && reply.exitCode !== 0 ? 'refused' : 'invalid'
  if (said === 'nothing') return 'passed'
  if (event === 'agentStop' || event === 'subagentStop') {
    if (textIn(said, 'decision') !== 'block') return 'passed'
    return textIn(said, 'reason') === undefined ? 'invalid' : 'held'
  }
  if (event !== 'preToolUse') return 'passed'
  const decision = textIn(said, 'permissionDecision')
  return decision === 'deny' ? 'refused' : decision === 'ask' ? 'asked' : 'passed'
}

function samplesOf({ script = 'true' }: SamplePlace): Readonly<Record<string, object>> {
  const call = { toolName: 'bash', toolArgs: { command: script } }
  return {
    sessionStart: { source: 'new' },
    userPromptSubmitted: { prompt: 'a trial of the hooks' },
    preToolUse: call,
    postToolUse: { ...call, toolResult: { resultType: 'success', textResultForLlm: '' } },
    postToolUseFailure: { ...call, error: 'failed' },
    agentStop: { transcriptPath: '', stopReason: 'end_turn', stop_hook_active: false },
    subagentStop: {
      transcriptPath: '',
      agentId: 'trial',
      agentType: 'trial',
      agentName: 'trial',
      response: 'Done.',
      stopReason: 'end_turn',
    },
    errorOccurred: {
      error: { message: 'failed', name: 'Error' },
      errorContext: 'model_call',
      recoverable: false,
    },
    sessionEnd: { reason: 'complete' },
  }
}
