/** The hooks of Codex. A key that it does not know makes the whole answer invalid, which lets the agent go: none is ever said. */
import {
  claudeAnswers,
  claudeFields,
  claudeSample,
  commandIn,
  defineHookProtocol,
  goalClaim,
  hasWord,
  patches,
  payloadOf,
  readers,
  runs,
  textIn,
  textOf,
  unlessGoal,
} from '../../protocol/hooks/index.ts'
import { variableIn } from '../../protocol/settings/index.ts'
import { jsonOf } from '@donecheck/engine/base'

const claim = { stop_hook_active: false, last_assistant_message: 'Done.' }

export const codexHooks = defineHookProtocol({
  agent: 'codex',
  title: 'Codex',
  silentFailures: true,
  ownProgram: {
    names: ['codex'],
    folders: ['@openai/codex'],
    attendanceOf(words) {
      if (hasWord(words, ['exec', 'e', 'review'])) return 'nobody'
      if (words[0] === 'app-server' && words.includes('--managed-daemon')) return 'windows'
      if (hasWord(words, forClients)) return 'unknown'
      const command = commandIn(words)
      return command === undefined || inTerminal.includes(command) ? 'somebody' : 'unknown'
    },
    isOpenedInWindow,
  },
  ownSettings: (environment) => {
    const home = variableIn(environment, 'CODEX_HOME') ?? '~/.codex'
    return ['.codex/hooks.json', '.codex/config.toml', `${home}/hooks.json`, `${home}/config.toml`]
  },
  events: [
    { event: 'SessionStart', tells: 'start', sample: { source: 'startup' } },
    { event: 'UserPromptSubmit', tells: 'prompt' },
    { event: 'PreToolUse', tells: 'proposal', read: unlessGoal },
    goalClaim,
    { event: 'PostToolUse', tells: 'result', read: unlessGoal, sample: { tool_response: '' } },
    { event: 'Stop', tells: 'claim', verifies: true, sample: claim },
    {
      event: 'SubagentStop',
      tells: 'claim',
      ofSubagent: true,
      sample: { ...claim, agent_id: 'trial', agent_type: 'trial', agent_transcript_path: null },
    },
    { event: 'SessionEnd', tells: 'over', maxSeconds: 3, sample: { reason: 'other' } },
  ],
  fields: claudeFields,
  tools: {
    Bash: runs('command'),
    apply_patch: patches('command'),
    ...readers([
      ...['view_image', 'web_search', 'update_plan', 'get_goal', 'create_goal', 'update_goal'],
      ...['request_user_input', 'list_mcp_resources', 'read_mcp_resource'],
    ]),
  },
  // A command that ended with another code than 0 comes here too, and nothing tells which it was.
  result: ({ tool_response: response }) => ({
    status: 'unknown',
    output: textIn(payloadOf(response), 'output') ?? textOf(response),
  }),
  // After a call `continue: false` only replaces its output.
  ...claudeAnswers({ canAsk: false, endsAt: ['claim'] }),
  sample: claudeSample(() => ({ turn_id: 'trial', transcript_path: null, model: 'trial' })),
  sampleCall: (command) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: 'trial-1' }),
})

/** Whoever attends those, if anybody does, is elsewhere. */
const forClients = ['app-server', 'exec-server', 'mcp', 'mcp-server', 'cloud', 'remote-control']

const inTerminal: readonly string[] = ['resume', 'fork', 'agents']

/** Whoever talks to the server by other means opens the session under another name. */
function isOpenedInWindow(firstLine: string): boolean {
  const fields = payloadOf(jsonOf(firstLine))
  const isMeta = textIn(fields, 'type') === 'session_meta'
  return isMeta && textIn(payloadOf(fields?.['payload']), 'originator') === 'codex-tui'
}
