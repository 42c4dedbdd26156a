/** The hooks of Gemini CLI. */
import {
  answerIn,
  asksSomething,
  callEvent,
  inBounds,
  isTrueIn,
  jsonReply,
  promptIn,
  readPlain,
  textIn,
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
import { geminiProgram } from './own-program.ts'
import { callOf, resultOf } from './translate-hooks.ts'

export const geminiHooks: HookProtocol = {
  agent: 'gemini',
  title: 'Gemini CLI',
  registrations: [
    { event: 'SessionStart' },
    { event: 'BeforeAgent' },
    { event: 'BeforeTool' },
    { event: 'AfterTool' },
    { event: 'AfterAgent', verifies: true },
    { event: 'SessionEnd' },
  ],
  silentFailures: true,
  ownProgram: geminiProgram,
  projectVariable: 'GEMINI_PROJECT_DIR',
  ownSettings: (environment) => {
    const home = variableIn(environment, 'GEMINI_CLI_HOME') ?? '~'
    return [
      '.gemini/settings.json',
      `${home}/.gemini/settings.json`,
      variableIn(environment, 'GEMINI_CLI_TRUSTED_FOLDERS_PATH') ?? `${home}/.gemini/trustedFolders.json`,
    ]
  },
  read: (event, payload, environment) =>
    readPlain(
      { sessionNames: ['session_id'], eventOf, folderOf: (fields) => textIn(fields, 'cwd') },
      event,
      payload,
      environment['GEMINI_PROJECT_DIR'],
    ),
  answer: (event, answer) => jsonReply(answerOf(event, answer)),
  effect: effectOf,
  sample: (event, place) => ({
    session_id: place.sessionId,
    transcript_path: `${place.folder}/transcript.json`,
    cwd: place.folder,
    hook_event_name: event,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...samplesOf(place)[event],
  }),
}

/** A text says what is missing. */
function eventOf(event: string, fields: Payload): HostEvent | string {
  switch (event) {
    case 'SessionStart':
      return { kind: 'session-started', how: textIn(fields, 'source') === 'resume' ? 'resumed' : 'new' }
    case 'BeforeAgent':
      return promptIn(fields)
    case 'BeforeTool':
      return callEvent(callOf(fields), 'tool_name')
    case 'AfterTool':
      return callEvent(callOf(fields), 'tool_name', () => resultOf(fields['tool_response']))
    case 'AfterAgent': {
      const text = textIn(fields, 'prompt_response') ?? ''
      return {
        kind: 'stopping',
        text,
        // All that it said since the prompt, what was sent back included.
        textHoldsEarlier: true,
        wasSentBack: isTrueIn(fields, 'stop_hook_active'),
        waitingFor: [],
        ...(asksSomething(text) ? { asksUser: true } : {}),
      }
    }
    case 'SessionEnd':
      return { kind: 'session-ended' }
    default:
      return { kind: 'irrelevant' }
  }
}

function answerOf(event: string, answer: HostAnswer): object {
  if (event === 'SessionEnd') return {}
  const notice = 'notice' in answer && answer.notice ? { systemMessage: inBounds(answer.notice) } : {}
  if (answer.kind === 'pass') return { ...contextIn(event, answer.context), ...notice }
  if (event === 'SessionStart') return notice
  if (answer.kind === 'end') return endOf(event, answer.message)
  const reason = answer.kind === 'send-back' ? answer.feedback : answer.reason
  // After a call a refusal would hide its result, which has happened: the model is told beside it.
  if (event === 'AfterTool') return { ...contextIn(event, reason), ...notice }
  return {
    decision: 'deny',
    reason: event === 'AfterAgent' ? underHeading(reason) : inBounds(reason),
    ...notice,
  }
}

/** Before a call it is refused as well: whoever ends must not leave it to run. */
function endOf(event: string, message: string): object {
  const reason = inBounds(message)
  return {
    continue: false,
    stopReason: reason,
    ...(event === 'BeforeTool' ? { decision: 'deny', reason } : {}),
  }
}

function contextIn(event: string, context: string | undefined): object {
  if (context === undefined || context === '' || event === 'AfterAgent' || event === 'BeforeTool') return {}
  return { hookSpecificOutput: { hookEventName: event, additionalContext: inBounds(context) } }
}

function effectOf(event: string, reply: HookReply): HookEffect {
  const said = answerIn(reply)
  if (said === 'invalid') return 'invalid'
  if (said === 'nothing' || event === 'SessionStart' || event === 'SessionEnd') return 'passed'
  const isDenied = ['deny', 'block'].includes(textIn(said, 'decision') ?? '')
  if (event === 'BeforeTool' && isDenied) return 'refused'
  if (said['continue'] === false) return 'ended'
  if (!isDenied) return 'passed'
  return event === 'AfterAgent' ? 'held' : 'refused'
}

function samplesOf({ script = 'true' }: SamplePlace): Readonly<Record<string, object>> {
  const call = { tool_name: 'run_shell_command', tool_input: { command: script } }
  return {
    SessionStart: { source: 'startup' },
    BeforeAgent: { prompt: 'a trial of the hooks' },
    BeforeTool: call,
    AfterTool: { ...call, tool_response: { llmContent: 'Output: (empty)', returnDisplay: '' } },
    AfterAgent: { prompt: 'a trial of the hooks', prompt_response: 'Done.', stop_hook_active: false },
    SessionEnd: { reason: 'exit' },
  }
}
