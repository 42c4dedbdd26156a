import type { ToolEffect } from '../../events/index.ts'

const reading: ReadonlySet<string> = new Set([
  'Read',
  'Glob',
  'Grep',
  'LS',
  'NotebookRead',
  'BashOutput',
  'TaskOutput',
  'WebFetch',
  'WebSearch',
  'ToolSearch',
  'ListAgents',
  'AskUserQuestion',
  'TodoRead',
  'TodoWrite',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskUpdate',
  'EnterPlanMode',
  'ExitPlanMode',
  'ReportFindings',
  'StructuredOutput',
])
const writing: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])

/** A tool that is not known, one of a server for instance, may do anything. */
export function effectOf(tool: string): ToolEffect {
  if (reading.has(tool)) return 'read'
  return writing.has(tool) ? 'write' : 'execute'
}

/** It works with tools of its own while the call lasts. */
export function isSubagent(tool: string): boolean {
  return tool === 'Task' || tool === 'Agent'
}
