import {
  contextFor,
  defineHookProtocol,
  messageToPerson,
  edits,
  readers,
  runs,
  writes,
  type ActReader,
} from '../../protocol/hooks/index.ts'
import { payloadOf, textIn, textOf, type Payload, type HostResult } from '../../protocol/host/index.ts'
import {
  variableIn,
  doubtOfFolder,
  folderNamed,
  entryName,
  hookSettings,
  namedEntry,
  type SettingsContext,
} from '../../protocol/settings/index.ts'
import { join } from 'node:path'

export { geminiAgent } from '../../protocol/acp/index.ts'

const reading = [
  ...['read_file', 'read_many_files', 'list_directory', 'glob', 'grep_search', 'search_file_content'],
  ...['google_web_search', 'web_fetch', 'get_internal_docs', 'list_mcp_resources', 'read_mcp_resource'],
  ...['write_todos', 'ask_user', 'activate_skill', 'enter_plan_mode', 'exit_plan_mode', 'update_topic'],
  'complete_task',
]

const tools: Readonly<Record<string, ActReader>> = {
  run_shell_command: runs('command', 'dir_path'),
  write_file: writes(['file_path'], ['content']),
  replace: edits(['file_path']),
  ...readers([...reading, 'list_background_processes', 'read_background_output', 'invoke_agent']),
}

const ended = (reason: string) => ({ continue: false, stopReason: reason })
const denied = (reason: string) => ({ decision: 'deny', reason })
export const geminiHooks = defineHookProtocol({
  agent: 'gemini',
  title: 'Gemini CLI',
  silentFailures: true,
  projectVariable: 'GEMINI_PROJECT_DIR',
  ownSettings: (environment) => {
    const home = variableIn(environment, 'GEMINI_CLI_HOME') ?? '~'
    return [
      '.gemini/settings.json',
      `${home}/.gemini/settings.json`,
      variableIn(environment, 'GEMINI_CLI_TRUSTED_FOLDERS_PATH') ?? `${home}/.gemini/trustedFolders.json`,
    ]
  },
  events: [
    { event: 'SessionStart', tells: 'start' },
    { event: 'BeforeAgent', tells: 'prompt' },
    { event: 'BeforeTool', tells: 'proposal' },
    { event: 'AfterTool', tells: 'result' },
    { event: 'AfterAgent', tells: 'claim', verifies: true, sample: { prompt_response: 'Done.' } },
    { event: 'SessionEnd', tells: 'over' },
  ],
  fields: { claim: 'prompt_response' },
  claimHoldsEarlier: true,
  tools,
  result: ({ tool_response: response }) => resultOf(response),
  hasHeading: true,
  notice: messageToPerson,
  answers: {
    start: { context: contextFor, end: () => ({}) },
    prompt: { context: contextFor, objection: denied, end: ended },
    // With `continue: false` alone the call may still run.
    proposal: { objection: denied, end: (reason) => ({ ...ended(reason), ...denied(reason) }) },
    // A refusal would hide the result, so the model is told alongside it.
    result: { context: contextFor, objection: contextFor, end: ended },
    claim: { objection: denied, end: ended },
  },
  effect(said) {
    if (said['continue'] === false) return 'ended'
    return said['decision'] === 'deny' ? 'held' : 'passed'
  },
  sample: ({ sessionId, folder }, event) => ({
    session_id: sessionId,
    transcript_path: `${folder}/transcript.json`,
    cwd: folder,
    hook_event_name: event,
    timestamp: '2026-01-01T00:00:00.000Z',
  }),
})

/** A failed command is not an error; the exit code is in the text below the output. */
function resultOf(response: unknown): HostResult {
  const fields = payloadOf(response)
  const content = fields === undefined ? response : fields['llmContent']
  const output = contentText(content).replace(processGroup, '')
  const error = fields?.['error']
  if (error !== undefined && error !== null) return { status: 'error', output: output || textOf(error) }
  const code = [...output.matchAll(/^Exit Code: (\d+)$/gm)].at(-1)?.[1]
  return { status: code === undefined || code === '0' ? 'ok' : 'error', output }
}

/** Differs each time and would make equal results look new. */
const processGroup = /^Process Group PGID: \d+\n?/gm

function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textIn(payloadOf(content), 'text') ?? textOf(content)
  return content.map((part: unknown) => contentText(part)).join('')
}

export const geminiSettings = hookSettings({
  agent: 'gemini',
  file: (scope, place) =>
    join(scope === 'user' ? homeOf(place) : place.workFolder, '.gemini', 'settings.json'),
  entry: namedEntry,
  environment: (folder) => ({ GEMINI_PROJECT_DIR: folder, GEMINI_CWD: folder, CLAUDE_PROJECT_DIR: folder }),
  obstacles: (settings) => settings.flatMap(obstaclesIn),
  otherFiles: (place) => [
    variableIn(place.environment, 'GEMINI_CLI_SYSTEM_SETTINGS_PATH') ?? '/etc/gemini-cli/settings.json',
  ],
  projectTrust: {
    files: (place) => [trustFileOf(place)],
    doubt: ([rules], settings, place) => {
      const { GEMINI_CLI_TRUST_WORKSPACE: said, GEMINI_RESTRICTED_MODE: restricted } = place.environment
      if (said === 'false' || restricted === 'true')
        return 'Gemini CLI is told by its environment not to trust this folder: the settings of the project are not read'
      const isAsked = settings.every(
        (one) => payloadOf(payloadOf(one['security'])?.['folderTrust'])?.['enabled'] !== false,
      )
      if (said === 'true' || !isAsked) return undefined
      const trust = { title: 'Gemini CLI', program: 'gemini', file: trustFileOf(place) }
      return doubtOfFolder(place.workFolder, rules, trust)
    },
  },
})

function homeOf(place: SettingsContext): string {
  return folderNamed('GEMINI_CLI_HOME', place, place.homeFolder)
}

function trustFileOf(place: SettingsContext): string {
  const usual = join(homeOf(place), '.gemini', 'trustedFolders.json')
  return folderNamed('GEMINI_CLI_TRUSTED_FOLDERS_PATH', place, usual)
}

function obstaclesIn(settings: Payload): readonly string[] {
  const switches = payloadOf(settings['hooksConfig'])
  const disabled: unknown = switches?.['disabled']
  return [
    ...(switches?.['enabled'] === false ? ['"hooksConfig.enabled" is false: no hook runs'] : []),
    ...(payloadOf(settings['tools'])?.['enableHooks'] === false
      ? ['"tools.enableHooks" is false: no hook runs']
      : []),
    ...(Array.isArray(disabled) && disabled.includes(entryName)
      ? [`"hooksConfig.disabled" names ${entryName}: its hooks do not run`]
      : []),
  ]
}
