/** The hooks of Claude Code. */
import {
  answerClaudeShaped,
  effectClaudeShaped,
  readClaudeShaped,
  variableIn,
  type HookProtocol,
  type SamplePlace,
} from '../../agents/index.ts'
import { claudeCodeDialect } from './translate-hooks.ts'

const endsAt = ['proposal', 'result', 'claim'] as const

export const claudeCodeHooks: HookProtocol = {
  agent: 'claude-code',
  title: 'Claude Code',
  registrations: [
    { event: 'SessionStart' },
    { event: 'UserPromptSubmit' },
    { event: 'PreToolUse' },
    { event: 'PostToolUse' },
    { event: 'PostToolUseFailure' },
    { event: 'Stop', verifies: true },
    { event: 'SubagentStop' },
    { event: 'StopFailure' },
    { event: 'SessionEnd' },
  ],
  silentFailures: false,
  projectVariable: 'CLAUDE_PROJECT_DIR',
  ownSettings: (environment) => {
    const home = variableIn(environment, 'CLAUDE_CONFIG_DIR') ?? '~/.claude'
    return [
      '.claude/settings.json',
      '.claude/settings.local.json',
      `${home}/settings.json`,
      `${home}/settings.local.json`,
    ]
  },
  read: (event, payload, environment) => readClaudeShaped(event, payload, environment, claudeCodeDialect),
  // A refusal beside `continue: false`: the call ran all the same when only the latter was said.
  answer: (event, answer) => answerClaudeShaped(event, answer, { canAsk: true, endsAt }),
  effect: (event, reply) => effectClaudeShaped(event, reply, endsAt),
  sample: (event, place) => ({
    session_id: place.sessionId,
    transcript_path: `${place.folder}/transcript.jsonl`,
    cwd: place.folder,
    prompt_id: 'trial',
    permission_mode: 'default',
    hook_event_name: event,
    ...sampleOf(event, place),
  }),
}

function sampleOf(event: string, { folder, script = 'true' }: SamplePlace): object {
  const call = { tool_name: 'Bash', tool_input: { command: script }, tool_use_id: 'trial-1' }
  const stop = {
    stop_hook_active: false,
    last_assistant_message: 'Done.',
    background_tasks: [],
    session_crons: [],
  }
  switch (event) {
    case 'SessionStart':
      return { source: 'startup' }
    case 'UserPromptSubmit':
      return { prompt: 'a trial of the hooks' }
    case 'PreToolUse':
      return call
    case 'PostToolUse':
      return { ...call, tool_response: { stdout: '', stderr: '', interrupted: false }, duration_ms: 1 }
    case 'PostToolUseFailure':
      return { ...call, error: 'Exit code 1', is_interrupt: false, duration_ms: 1 }
    case 'Stop':
      return stop
    case 'SubagentStop':
      return {
        ...stop,
        agent_id: 'trial',
        agent_type: 'trial',
        agent_transcript_path: `${folder}/agent.jsonl`,
      }
    case 'StopFailure':
      return { error: 'unknown', last_assistant_message: '' }
    default:
      return { reason: 'other' }
  }
}
