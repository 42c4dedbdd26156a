import {
  claudeAnswers,
  claudeFields,
  claudeSample,
  defineHookProtocol,
  edits,
  goalClaim,
  readers,
  runs,
  unlessGoal,
  writes,
} from '../../protocol/hooks/index.ts'
import { payloadOf, textIn, textOf, type Payload, type HostEvent } from '../../protocol/host/index.ts'
import {
  variableIn,
  doubtOfFolder,
  folderNamed,
  hookSettings,
  namedEntry,
  type SettingsContext,
} from '../../protocol/settings/index.ts'
import { join } from 'node:path'

export { qwenAgent } from '../../protocol/acp/index.ts'

const paths = ['file_path', 'absolute_path']

export const qwenHooks = defineHookProtocol({
  agent: 'qwen',
  title: 'Qwen Code',
  silentFailures: false,
  projectVariable: 'QWEN_PROJECT_DIR',
  ownSettings: (environment) => {
    const home = variableIn(environment, 'QWEN_HOME') ?? '~/.qwen'
    return [
      '.qwen/settings.json',
      `${home}/settings.json`,
      variableIn(environment, 'QWEN_CODE_TRUSTED_FOLDERS_PATH') ?? `${home}/trustedFolders.json`,
    ]
  },
  events: [
    { event: 'SessionStart', tells: 'start' },
    { event: 'UserPromptSubmit', tells: 'prompt', read: promptOfPerson },
    { event: 'PreToolUse', tells: 'proposal', read: unlessGoal },
    goalClaim,
    { event: 'PostToolUse', tells: 'result', read: unlessGoal },
    { event: 'PostToolUseFailure', tells: 'result', hasFailed: true, read: unlessGoal },
    { event: 'Stop', tells: 'claim', verifies: true, sample: { last_assistant_message: 'Done.' } },
    { event: 'StopFailure', tells: 'failure' },
    { event: 'SessionEnd', tells: 'over' },
  ],
  fields: { ...claudeFields, waiting: ['background_tasks', 'crons'] },
  tools: {
    run_shell_command: runs('command', 'directory'),
    write_file: writes(paths, ['content']),
    edit: edits(paths),
    ...readers([
      ...['read_file', 'read_many_files', 'list_directory', 'glob', 'grep_search', 'web_fetch', 'web_search'],
      ...['todo_write', 'task', 'agent', 'skill', 'ask_user_question', 'exit_plan_mode', 'lsp'],
      ...['list_agents', 'tool_search', 'get_goal', 'update_goal'],
    ]),
  },
  result({ tool_response: response }) {
    const output =
      textIn(payloadOf(response), 'llmContent', 'output', 'content', 'stdout') ?? textOf(response)
    const code = /^Exit Code: (\d+)$/m.exec(output)?.[1]
    return { status: code === undefined || code === '0' ? 'ok' : 'error', output }
  },
  hasHeading: true,
  // `continue: false` blocks a claim, but elsewhere only refuses or replaces one result.
  ...claudeAnswers({ canAsk: true, endsAt: [] }),
  sample: claudeSample(({ folder }) => ({
    transcript_path: `${folder}/transcript.jsonl`,
    timestamp: '2026-01-01T00:00:00.000Z',
  })),
})

/** Qwen also calls this hook after tool results, with an empty prompt. */
function promptOfPerson(usual: HostEvent, fields: Payload): HostEvent {
  if (usual.kind !== 'prompted') return usual
  const prompt = textIn(fields, 'submitted_prompt') ?? usual.prompt
  return prompt.trim() === '' ? { kind: 'irrelevant' } : { kind: 'prompted', prompt }
}

export const qwenSettings = hookSettings({
  agent: 'qwen',
  file: (scope, place) =>
    join(scope === 'user' ? homeOf(place) : join(place.workFolder, '.qwen'), 'settings.json'),
  entry: namedEntry,
  environment: (folder) => ({
    QWEN_PROJECT_DIR: folder,
    GEMINI_PROJECT_DIR: folder,
    CLAUDE_PROJECT_DIR: folder,
  }),
  otherFiles: ({ environment }) => [
    variableIn(environment, 'QWEN_CODE_SYSTEM_SETTINGS_PATH') ?? '/etc/qwen-code/settings.json',
  ],
  projectTrust: {
    files: (place) => [trustFileOf(place)],
    doubt: ([rules], settings, place) => {
      const isAsked = settings.some(
        (one) => payloadOf(payloadOf(one['security'])?.['folderTrust'])?.['enabled'] === true,
      )
      const trust = { title: 'Qwen Code', program: 'qwen', file: trustFileOf(place) }
      return isAsked ? doubtOfFolder(place.workFolder, rules, trust) : undefined
    },
  },
})

function homeOf(place: SettingsContext): string {
  const value = variableIn(place.environment, 'QWEN_HOME')
  if (value !== undefined && /^~(?:\/|$)/u.test(value)) return join(place.homeFolder, value.slice(1))
  return folderNamed('QWEN_HOME', place, join(place.homeFolder, '.qwen'))
}

function trustFileOf(place: SettingsContext): string {
  return folderNamed('QWEN_CODE_TRUSTED_FOLDERS_PATH', place, join(homeOf(place), 'trustedFolders.json'))
}
