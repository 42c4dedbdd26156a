/** The hooks of Codex. A key that it does not know makes the whole answer invalid, which lets the agent go: none is ever said. */
import {
  answerClaudeShaped,
  effectClaudeShaped,
  eventOfWord,
  goalRegistration,
  goalSample,
  readClaudeShaped,
  variableIn,
  withGoalClaim,
  type HookProtocol,
  type SamplePlace,
} from '../../agents/index.ts'
import { codexProgram } from './own-program.ts'
import { codexDialect } from './translate-hooks.ts'

/** After a call `continue: false` only replaces its output. */
const endsAt = ['claim'] as const

export const codexHooks: HookProtocol = {
  agent: 'codex',
  title: 'Codex',
  registrations: [
    { event: 'SessionStart' },
    { event: 'UserPromptSubmit' },
    { event: 'PreToolUse' },
    goalRegistration,
    { event: 'PostToolUse' },
    { event: 'Stop', verifies: true },
    { event: 'SubagentStop' },
    { event: 'SessionEnd', mostSeconds: 3 },
  ],
  silentFailures: true,
  ownProgram: codexProgram,
  ownSettings: (environment) => {
    const home = variableIn(environment, 'CODEX_HOME') ?? '~/.codex'
    return ['.codex/hooks.json', '.codex/config.toml', `${home}/hooks.json`, `${home}/config.toml`]
  },
  read: (event, payload, environment) =>
    withGoalClaim(event, payload, readClaudeShaped(eventOfWord(event), payload, environment, codexDialect)),
  answer: (event, answer) => answerClaudeShaped(eventOfWord(event), answer, { canAsk: false, endsAt }),
  effect: (event, reply) => effectClaudeShaped(eventOfWord(event), reply, endsAt),
  sample: (event, place) => ({
    session_id: place.sessionId,
    turn_id: 'trial',
    transcript_path: null,
    cwd: place.folder,
    model: 'trial',
    permission_mode: 'default',
    hook_event_name: eventOfWord(event),
    ...samplesOf(place)[event],
  }),
}

const stop = { stop_hook_active: false, last_assistant_message: 'Done.' }

function samplesOf({ script = 'true' }: SamplePlace): Readonly<Record<string, object>> {
  const call = { tool_name: 'Bash', tool_input: { command: script }, tool_use_id: 'trial-1' }
  return {
    SessionStart: { source: 'startup' },
    UserPromptSubmit: { prompt: 'a trial of the hooks' },
    PreToolUse: call,
    UpdateGoal: goalSample,
    PostToolUse: { ...call, tool_response: '' },
    Stop: stop,
    SubagentStop: { ...stop, agent_id: 'trial', agent_type: 'trial', agent_transcript_path: null },
    SessionEnd: { reason: 'other' },
  }
}
