/** The hooks of Qwen Code: those of Claude Code, with tools of its own. */
import {
  answerClaudeShaped,
  effectClaudeShaped,
  eventOfWord,
  goalRegistration,
  goalSample,
  payloadOf,
  readClaudeShaped,
  textIn,
  variableIn,
  withGoalClaim,
  type HookProtocol,
  type HostReading,
  type SamplePlace,
} from '../../agents/index.ts'
import { qwenProgram } from './own-program.ts'
import { qwenDialect } from './translate-hooks.ts'

export const qwenHooks: HookProtocol = {
  agent: 'qwen',
  title: 'Qwen Code',
  registrations: [
    { event: 'SessionStart' },
    { event: 'UserPromptSubmit' },
    { event: 'PreToolUse' },
    goalRegistration,
    { event: 'PostToolUse' },
    { event: 'PostToolUseFailure' },
    { event: 'Stop', verifies: true },
    { event: 'SubagentStop' },
    { event: 'StopFailure' },
    { event: 'SessionEnd' },
  ],
  silentFailures: false,
  ownProgram: qwenProgram,
  projectVariable: 'QWEN_PROJECT_DIR',
  ownSettings: (environment) => {
    const home = variableIn(environment, 'QWEN_HOME') ?? '~/.qwen'
    return [
      '.qwen/settings.json',
      `${home}/settings.json`,
      variableIn(environment, 'QWEN_CODE_TRUSTED_FOLDERS_PATH') ?? `${home}/trustedFolders.json`,
    ]
  },
  read: (event, payload, environment) =>
    withGoalClaim(
      event,
      payload,
      promptsOfPeople(payload, readClaudeShaped(eventOfWord(event), payload, environment, qwenDialect)),
    ),
  // At the claim it takes `continue: false` for a block, and elsewhere for the refusal or the replacement of one result.
  answer: (event, answer) =>
    answerClaudeShaped(eventOfWord(event), answer, { canAsk: true, endsAt: [], hasHeading: true }),
  effect: (event, reply) => effectClaudeShaped(eventOfWord(event), reply, []),
  sample: (event, place) => ({
    session_id: place.sessionId,
    transcript_path: `${place.folder}/transcript.jsonl`,
    cwd: place.folder,
    hook_event_name: eventOfWord(event),
    timestamp: '2026-01-01T00:00:00.000Z',
    permission_mode: 'default',
    ...samplesOf(place)[event],
  }),
}

/** It calls the hook of prompts after results of tools too, with an empty one. */
function promptsOfPeople(payload: unknown, reading: HostReading): HostReading {
  if (reading.kind !== 'read' || reading.event.kind !== 'prompted') return reading
  const fields = payloadOf(payload)
  const prompt = textIn(fields, 'submitted_prompt') ?? reading.event.prompt
  return { ...reading, event: prompt.trim() === '' ? { kind: 'irrelevant' } : { kind: 'prompted', prompt } }
}

const stop = { stop_hook_active: false, last_assistant_message: 'Done.', background_tasks: [], crons: [] }

function samplesOf({ script = 'true' }: SamplePlace): Readonly<Record<string, object>> {
  const call = { tool_name: 'run_shell_command', tool_input: { command: script }, tool_use_id: 'trial-1' }
  return {
    SessionStart: { source: 'startup', model: 'trial' },
    UserPromptSubmit: { prompt: 'a trial of the hooks' },
    PreToolUse: call,
    UpdateGoal: goalSample,
    PostToolUse: { ...call, tool_response: { llmContent: '', returnDisplay: '' } },
    PostToolUseFailure: { ...call, error: 'failed', is_interrupt: false },
    Stop: stop,
    SubagentStop: { ...stop, agent_id: 'trial', agent_type: 'trial' },
    StopFailure: { error: 'unknown' },
    SessionEnd: { reason: 'other' },
  }
}
