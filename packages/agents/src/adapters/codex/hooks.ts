/** The hooks of Codex. A key that it does not know makes the whole answer invalid, which lets the agent go: none is ever said. */
import {
  claudeAnswers,
  claudeFields,
  claudeSample,
  defineHookProtocol,
  goalClaim,
  patches,
  readers,
  runs,
  unlessGoal,
} from '../../protocol/hooks/index.ts'
import { payloadOf, textIn, textOf } from '../../protocol/host/index.ts'
import { variableIn } from '../../protocol/settings/index.ts'

export const codexHooks = defineHookProtocol({
  agent: 'codex',
  title: 'Codex',
  silentFailures: true,
  ownSettings: (environment) => {
    const home = variableIn(environment, 'CODEX_HOME') ?? '~/.codex'
    return ['.codex/hooks.json', '.codex/config.toml', `${home}/hooks.json`, `${home}/config.toml`]
  },
  events: [
    { event: 'SessionStart', tells: 'start' },
    { event: 'UserPromptSubmit', tells: 'prompt' },
    { event: 'PreToolUse', tells: 'proposal', read: unlessGoal },
    goalClaim,
    { event: 'PostToolUse', tells: 'result', read: unlessGoal },
    { event: 'Stop', tells: 'claim', verifies: true, sample: { last_assistant_message: 'Done.' } },
    { event: 'SessionEnd', tells: 'over', maxSeconds: 3 },
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
})
