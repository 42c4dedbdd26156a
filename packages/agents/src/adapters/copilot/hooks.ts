/** The hooks of Copilot CLI, by its own names of events. */
import {
  defineHookProtocol,
  edits,
  isTrueIn,
  patches,
  payloadOf,
  readers,
  runs,
  textIn,
  textOf,
  writes,
  type Payload,
} from '../../protocol/hooks/index.ts'
import { variableIn } from '../../protocol/settings/index.ts'
import type { HostEvent, HostResult } from '../../protocol/host/index.ts'
import { jsonOf } from '@donecheck/engine/base'

const paths = ['path', 'file_path']
const patch = patches('patch')
const context = (additionalContext: string) => ({ additionalContext })
/** A line of progress is shown to the person, and is no decision. */
const progress = (message: string) => ({ type: 'progress', message })

/** Nothing is said by an exit code: 2 is a warning at the claim. */
export const copilotHooks = defineHookProtocol({
  agent: 'copilot',
  title: 'Copilot CLI',
  silentFailures: false,
  projectVariable: 'COPILOT_PROJECT_DIR',
  ownSettings: (environment) => {
    const home = variableIn(environment, 'COPILOT_HOME') ?? '~/.copilot'
    const own = ['hooks', 'settings.json', 'config.json'].map((name) => `${home}/${name}`)
    return ['.github/hooks', '.github/copilot', ...own]
  },
  events: [
    { event: 'sessionStart', tells: 'start', sample: { source: 'new' } },
    { event: 'userPromptSubmitted', tells: 'prompt' },
    { event: 'preToolUse', tells: 'proposal' },
    {
      event: 'postToolUse',
      tells: 'result',
      sample: { toolResult: { resultType: 'success', textResultForLlm: '' } },
    },
    {
      event: 'postToolUseFailure',
      tells: 'result',
      hasFailed: true,
      isDeaf: true,
      sample: { error: 'failed' },
    },
    {
      event: 'agentStop',
      tells: 'claim',
      verifies: true,
      sample: { transcriptPath: '', stopReason: 'end_turn', stop_hook_active: false },
    },
    {
      event: 'subagentStop',
      tells: 'claim',
      ofSubagent: true,
      sample: {
        ...{ transcriptPath: '', agentId: 'trial', agentType: 'trial', agentName: 'trial' },
        ...{ response: 'Done.', stopReason: 'end_turn' },
      },
    },
    {
      event: 'errorOccurred',
      tells: 'failure',
      read: unlessItGoesOn,
      sample: {
        error: { message: 'failed', name: 'Error' },
        errorContext: 'model_call',
        recoverable: false,
      },
    },
    { event: 'sessionEnd', tells: 'over', sample: { reason: 'complete' } },
  ],
  // It tells no ids of calls, and not its last words.
  fields: {
    session: ['sessionId'],
    tool: 'toolName',
    args: 'toolArgs',
    subagentClaim: 'response',
    subagent: { id: 'agentId', types: ['agentType', 'agentName'] },
  },
  tools: {
    bash: runs('command'),
    powershell: runs('command'),
    create: writes(paths, ['file_text', 'content']),
    edit: edits(paths),
    str_replace_editor: edits(paths),
    apply_patch: (args, given) => (typeof given === 'string' ? { kind: 'patch', patch: given } : patch(args)),
    ...readers([
      ...['view', 'grep', 'rg', 'glob', 'web_fetch', 'web_search', 'ask_user', 'update_todo'],
      ...['report_intent', 'task', 'skill', 'read_bash', 'list_bash', 'stop_bash', 'list_agents'],
      ...['read_agent', 'fetch_copilot_cli_documentation'],
    ]),
  },
  // They come as an object, and in older versions as its text.
  parsedArguments(given) {
    const parsed = typeof given === 'string' ? jsonOf(given) : undefined
    return parsed === undefined ? given : parsed
  },
  result: ({ toolResult }) => resultOf(toolResult),
  hasHeading: true,
  notice: (text, { event, answer }) => (answer.kind === 'pass' && /stop$/i.test(event) ? progress(text) : {}),
  answers: {
    // It cannot be ended there: the model is told, and its next call is refused.
    start: { context, objection: context },
    result: { context, objection: context },
    proposal: {
      permission: (permissionDecisionReason) => ({ permissionDecision: 'allow', permissionDecisionReason }),
      objection: (reason, { answer }) => ({
        permissionDecision: answer.kind === 'ask' ? 'ask' : 'deny',
        permissionDecisionReason: reason,
      }),
      effect(said) {
        const decision = textIn(said, 'permissionDecision')
        return decision === 'deny' ? 'refused' : decision === 'ask' ? 'asked' : 'passed'
      },
      // Of a broken hook before a call it says that it refuses.
      refusesAt: (exitCode) => exitCode !== 0,
    },
    claim: {
      objection: (reason) => ({ decision: 'block', reason }),
      end: progress,
      effect(said) {
        if (textIn(said, 'decision') !== 'block') return 'passed'
        return textIn(said, 'reason') === undefined ? 'invalid' : 'held'
      },
    },
  },
  sample: ({ sessionId, folder }) => ({ sessionId, timestamp: 1767225600000, cwd: folder }),
  sampleCall: (command) => ({ toolName: 'bash', toolArgs: { command } }),
})

/** Errors of tools, and those that it gets over, end no turn. */
function unlessItGoesOn(usual: HostEvent, fields: Payload): HostEvent {
  const goesOn = isTrueIn(fields, 'recoverable') || textIn(fields, 'errorContext') === 'tool_execution'
  return goesOn ? { kind: 'irrelevant' } : usual
}

/** A command that ended with another code than 0 is a success for it: the code stands in its last line. */
function resultOf(reported: unknown): HostResult {
  const result = payloadOf(reported)
  const said = textIn(result, 'textResultForLlm') ?? textOf(reported)
  // Another one each time: equal calls would never give equal results.
  const output = said.replace(/<shellId: \S+ completed(?= with exit code -?\d+>\s*$)/, '<exited')
  const code = /<exited with exit code (-?\d+)>\s*$/.exec(output)?.[1] ?? '0'
  const isWell = (textIn(result, 'resultType') ?? 'success') === 'success' && code === '0'
  return { status: isWell ? 'ok' : 'error', output }
}
