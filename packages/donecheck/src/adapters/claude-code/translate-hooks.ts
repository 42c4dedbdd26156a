/** The tools of Claude Code, and what its hooks tell of their results. */
import {
  actOf,
  edits,
  isTrueIn,
  payloadOf,
  reads,
  runs,
  textIn,
  textOf,
  writes,
  type ActReader,
  type ClaudeDialect,
  type Environment,
  type HostResult,
} from '../../agents/index.ts'

/** A tool that is not named here may do anything, as those of MCP servers may. */
const tools: Readonly<Record<string, ActReader>> = {
  Bash: runs('command'),
  PowerShell: runs('command'),
  Monitor: runs('command'),
  Write: writes(['file_path'], ['content']),
  Edit: edits(['file_path']),
  MultiEdit: edits(['file_path']),
  NotebookEdit: writes(['notebook_path'], []),
  ...Object.fromEntries(
    [
      'Read',
      'Glob',
      'Grep',
      'LS',
      'NotebookRead',
      'WebFetch',
      'WebSearch',
      'TodoWrite',
      'TaskCreate',
      'TaskGet',
      'TaskList',
      'TaskUpdate',
      'TaskOutput',
      'TaskStop',
      'BashOutput',
      'KillShell',
      // What a sub-agent does is told call by call.
      'Task',
      'Agent',
      'Skill',
      'ToolSearch',
      'LSP',
      'AskUserQuestion',
      'EnterPlanMode',
      'ExitPlanMode',
      'StructuredOutput',
      'ListAgents',
      'ReportFindings',
      'ListMcpResourcesTool',
      'ReadMcpResourceTool',
    ].map((name) => [name, reads]),
  ),
}

export const claudeCodeDialect: ClaudeDialect = {
  act: (tool, args) => actOf(tools, tool, args),
  result: resultOf,
  waitingLists: ['background_tasks', 'session_crons'],
  unattended: (_payload, environment) => isUnattended(environment),
}

/** Whatever fails has a hook of its own; only what was broken off comes here all the same. */
function resultOf(_tool: string, response: unknown): HostResult {
  const fields = payloadOf(response)
  if (fields === undefined) return { status: 'ok', output: textOf(response) }
  const status = isTrueIn(fields, 'interrupted') ? 'error' : 'ok'
  const [out, err] = [textIn(fields, 'stdout'), textIn(fields, 'stderr')]
  if (out === undefined && err === undefined) return { status, output: textOf(response) }
  return { status, output: [out, err].filter((part) => part !== undefined && part !== '').join('\n') }
}

/** It says so itself; older versions tell only how they were entered, of which print mode and the SDK have nobody. */
function isUnattended(environment: Environment): boolean | undefined {
  const attended = environment['CLAUDE_CODE_SESSION_ATTENDED']
  if (attended === '0' || attended === '1') return attended === '0'
  const entry = environment['CLAUDE_CODE_ENTRYPOINT']
  return entry === undefined ? undefined : entry.startsWith('sdk')
}
