import {
  claudeAnswers,
  claudeFields,
  claudeSample,
  defineHookProtocol,
  type Environment,
  edits,
  effectByName,
  readers,
  runs,
  writes,
  type ActReader,
} from '../../protocol/hooks/index.ts'
import {
  isTrueIn,
  payloadOf,
  textIn,
  textOf,
  type HostResult,
  type Payload,
} from '../../protocol/host/index.ts'
import { variableIn, fileInBoth, hookSettings } from '../../protocol/settings/index.ts'
import { join } from 'node:path'

const reading = [
  ...['Read', 'Glob', 'Grep', 'LS', 'NotebookRead', 'BashOutput', 'TaskOutput', 'WebFetch', 'WebSearch'],
  ...['ToolSearch', 'ListAgents', 'AskUserQuestion', 'TodoWrite', 'TaskCreate', 'TaskGet', 'TaskList'],
  ...['TaskUpdate', 'EnterPlanMode', 'ExitPlanMode', 'ReportFindings', 'StructuredOutput'],
]

export const effectOf = effectByName([...reading, 'TodoRead'], ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])

export const tools: Readonly<Record<string, ActReader>> = {
  Bash: runs('command'),
  PowerShell: runs('command'),
  Monitor: runs('command'),
  Write: writes(['file_path'], ['content']),
  Edit: edits(['file_path']),
  MultiEdit: edits(['file_path']),
  NotebookEdit: writes(['notebook_path'], []),
  ...readers([
    ...reading,
    ...['TaskStop', 'KillShell', 'Skill', 'LSP', 'ListMcpResourcesTool', 'ReadMcpResourceTool'],
    ...['Task', 'Agent'],
  ]),
}

export const claudeCodeHooks = defineHookProtocol({
  agent: 'claude-code',
  title: 'Claude Code',
  silentFailures: false,
  projectVariable: 'CLAUDE_PROJECT_DIR',
  ownSettings: (environment) => {
    const home = variableIn(environment, 'CLAUDE_CONFIG_DIR') ?? '~/.claude'
    return ['.claude', home].flatMap((folder) => [`${folder}/settings.json`, `${folder}/settings.local.json`])
  },
  events: [
    { event: 'SessionStart', tells: 'start' },
    { event: 'UserPromptSubmit', tells: 'prompt' },
    { event: 'PreToolUse', tells: 'proposal' },
    { event: 'PostToolUse', tells: 'result' },
    { event: 'PostToolUseFailure', tells: 'result', hasFailed: true },
    { event: 'Stop', tells: 'claim', verifies: true, sample: { last_assistant_message: 'Done.' } },
    { event: 'StopFailure', tells: 'failure' },
    { event: 'SessionEnd', tells: 'over' },
  ],
  fields: { ...claudeFields, waiting: ['background_tasks', 'session_crons'] },
  unattended: (_fields, environment) => isUnattended(environment),
  tools,
  result: ({ tool_response: response }) => resultOf(response),
  ...claudeAnswers({ canAsk: true, endsAt: ['proposal', 'result', 'claim'] }),
  sample: claudeSample(({ folder }) => ({
    transcript_path: `${folder}/transcript.jsonl`,
    prompt_id: 'trial',
  })),
})

function resultOf(response: unknown): HostResult {
  const fields = payloadOf(response)
  if (fields === undefined) return { status: 'ok', output: textOf(response) }
  const status = isTrueIn(fields, 'interrupted') ? 'error' : 'ok'
  const [out, err] = [textIn(fields, 'stdout'), textIn(fields, 'stderr')]
  if (out === undefined && err === undefined) return { status, output: textOf(response) }
  return { status, output: [out, err].filter((part) => part !== undefined && part !== '').join('\n') }
}

/** Older versions report only their entry point; print mode and the SDK are unattended. */
function isUnattended(environment: Environment): boolean | undefined {
  const attended = environment['CLAUDE_CODE_SESSION_ATTENDED']
  if (attended === '0' || attended === '1') return attended === '0'
  const entry = environment['CLAUDE_CODE_ENTRYPOINT']
  return entry === undefined ? undefined : entry.startsWith('sdk')
}

export function isSubagent(tool: string): boolean {
  return tool === 'Task' || tool === 'Agent'
}

export const claudeCodeSettings = hookSettings({
  agent: 'claude-code',
  file: fileInBoth('CLAUDE_CONFIG_DIR', '.claude', 'settings.json'),
  shell: ['/bin/sh', '-c'],
  environment: (folder) => ({ CLAUDE_PROJECT_DIR: folder, CLAUDECODE: '1' }),
  obstacles: (settings, { environment }) => [
    ...settings.flatMap(obstaclesIn),
    // As of 2.1.330 an empty value makes it search for settings in the current folder.
    ...(environment['CLAUDE_CONFIG_DIR'] === ''
      ? ['CLAUDE_CONFIG_DIR is set to nothing, by which Claude Code does not read your settings: unset it']
      : []),
  ],
  otherFiles: ({ workFolder }) => [
    join(workFolder, '.claude', 'settings.local.json'),
    '/etc/claude-code/managed-settings.json',
  ],
})

function obstaclesIn(settings: Payload): readonly string[] {
  return [
    ...(isSet(settings['disableAllHooks']) ? ['"disableAllHooks" is true: no hook runs'] : []),
    ...(isTrueIn(settings, 'allowManagedHooksOnly')
      ? ['"allowManagedHooksOnly" is true: only the hooks of the administrator run']
      : []),
  ]
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 'false'
}
