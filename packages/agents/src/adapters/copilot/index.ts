import { defineHookProtocol, edits, patches, readers, runs, writes } from '../../protocol/hooks/index.ts'
import {
  isTrueIn,
  payloadOf,
  textIn,
  textOf,
  type Payload,
  type HostEvent,
  type HostResult,
} from '../../protocol/host/index.ts'
import { variableIn, folderNamed, hookSettings, type SettingsContext } from '../../protocol/settings/index.ts'
import { jsonOf } from '@donecheck/engine/internal/base'
import { join, sep } from 'node:path'

export { copilotAgent } from '../../protocol/acp/index.ts'

const paths = ['path', 'file_path']
const patch = patches('patch')
const context = (additionalContext: string) => ({ additionalContext })
const progress = (message: string) => ({ type: 'progress', message })

/** Exit codes carry no meaning: 2 is only a warning at the claim. */
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
    { event: 'sessionStart', tells: 'start' },
    { event: 'userPromptSubmitted', tells: 'prompt' },
    { event: 'preToolUse', tells: 'proposal' },
    { event: 'postToolUse', tells: 'result' },
    { event: 'postToolUseFailure', tells: 'result', hasFailed: true, isDeaf: true },
    { event: 'agentStop', tells: 'claim', verifies: true, sample: { stopReason: 'end_turn' } },
    { event: 'errorOccurred', tells: 'failure', read: unlessItGoesOn },
    { event: 'sessionEnd', tells: 'over' },
  ],
  fields: { session: ['sessionId'], tool: 'toolName', args: 'toolArgs' },
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
  parsedArguments(given) {
    const parsed = typeof given === 'string' ? jsonOf(given) : undefined
    return parsed === undefined ? given : parsed
  },
  result: ({ toolResult }) => resultOf(toolResult),
  hasHeading: true,
  notice: (text, { event, answer }) => (answer.kind === 'pass' && /stop$/i.test(event) ? progress(text) : {}),
  answers: {
    // It cannot be stopped here: the model is told, and its next call is refused.
    start: { context, objection: context },
    result: { context, objection: context },
    proposal: {
      permission: (permissionDecisionReason) => ({ permissionDecision: 'allow', permissionDecisionReason }),
      objection: (reason, { answer }) => ({
        permissionDecision: answer.kind === 'ask' ? 'ask' : 'deny',
        permissionDecisionReason: reason,
      }),
    },
    claim: { objection: (reason) => ({ decision: 'block', reason }), end: progress },
  },
  effect(said) {
    if (textIn(said, 'decision') !== 'block') return 'passed'
    return textIn(said, 'reason') === undefined ? 'invalid' : 'held'
  },
  sample: ({ sessionId, folder }) => ({ sessionId, timestamp: 1767225600000, cwd: folder }),
})

function unlessItGoesOn(usual: HostEvent, fields: Payload): HostEvent {
  const goesOn = isTrueIn(fields, 'recoverable') || textIn(fields, 'errorContext') === 'tool_execution'
  return goesOn ? { kind: 'irrelevant' } : usual
}

/** A failed command counts as success; the exit code is in its last line. */
function resultOf(reported: unknown): HostResult {
  const result = payloadOf(reported)
  const said = textIn(result, 'textResultForLlm') ?? textOf(reported)
  // The shell id differs each time and would make equal results look new.
  const output = said.replace(/<shellId: \S+ completed(?= with exit code -?\d+>\s*$)/, '<exited')
  const code = /<exited with exit code (-?\d+)>\s*$/.exec(output)?.[1] ?? '0'
  const isWell = (textIn(result, 'resultType') ?? 'success') === 'success' && code === '0'
  return { status: isWell ? 'ok' : 'error', output }
}

export const copilotSettings = hookSettings({
  agent: 'copilot',
  shape: 'flat',
  preamble: { version: 1 },
  file: (scope, place) =>
    scope === 'user'
      ? join(homeOf(place), 'hooks', 'donecheck.json')
      : join(place.workFolder, '.github', 'hooks', 'donecheck.json'),
  // In seconds; the default is 30.
  entry: (_registration, command, timeoutSeconds) => ({
    type: 'command',
    bash: command,
    timeoutSec: timeoutSeconds,
  }),
  commandIn: (entry) => textIn(entry, 'bash', 'command'),
  goneAnswer: (message) => JSON.stringify({ type: 'progress', message }),
  environment: (folder) => ({ COPILOT_PROJECT_DIR: folder, CLAUDE_PROJECT_DIR: folder, COPILOT_CLI: '1' }),
  otherFiles: (place) => [
    join(homeOf(place), 'settings.json'),
    join(place.workFolder, '.github', 'copilot', 'settings.json'),
    join(place.workFolder, '.github', 'copilot', 'settings.local.json'),
  ],
  projectTrust: {
    files: (place) => ['config.json', 'settings.json'].map((name) => join(homeOf(place), name)),
    doubt: (files, _settings, place) => {
      const { workFolder, environment } = place
      const isTrusted = files.flatMap(trustedIn).some((one) => isAtOrBelow(workFolder, one))
      if (isTrusted || environment['GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS'] === 'true') return undefined
      return `Copilot CLI runs the hooks of a project only where the folder is trusted, and with -p it says nothing of it; ${workFolder} is not: start copilot in it once and trust it, set GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true, or install with --scope user`
    },
  },
})

function homeOf(place: SettingsContext): string {
  return folderNamed('COPILOT_HOME', place, join(place.homeFolder, '.copilot'))
}

function trustedIn(file: Payload): readonly string[] {
  return [file['trusted_folders'], file['trustedFolders']]
    .flatMap((list: unknown): readonly unknown[] => (Array.isArray(list) ? list : []))
    .filter((one) => typeof one === 'string')
}

function isAtOrBelow(folder: string, place: string): boolean {
  return folder === place || folder.startsWith(`${place}${sep}`)
}
