/** The tools of Claude Code. */
import { edits, effectByName, readers, runs, writes, type ActReader } from '../../protocol/hooks/index.ts'

const reading = [
  ...['Read', 'Glob', 'Grep', 'LS', 'NotebookRead', 'BashOutput', 'TaskOutput', 'WebFetch', 'WebSearch'],
  ...['ToolSearch', 'ListAgents', 'AskUserQuestion', 'TodoWrite', 'TaskCreate', 'TaskGet', 'TaskList'],
  ...['TaskUpdate', 'EnterPlanMode', 'ExitPlanMode', 'ReportFindings', 'StructuredOutput'],
]

export const effectOf = effectByName([...reading, 'TodoRead'], ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])

/** A tool that is not named here may do anything, as those of MCP servers may. */
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
    // What a sub-agent does is told call by call.
    ...['Task', 'Agent'],
  ]),
}

/** It works with tools of its own while the call lasts. */
export function isSubagent(tool: string): boolean {
  return tool === 'Task' || tool === 'Agent'
}
