import type { ToolEffect } from '../../events/index.ts'

const readers: readonly string[] = [
  'read_file',
  'read_many_files',
  'list_directory',
  'glob',
  'grep_search',
  'search_file_content',
  'google_web_search',
  'web_fetch',
  'get_internal_docs',
  'list_mcp_resources',
  'read_mcp_resource',
  'activate_skill',
  'ask_user',
  'complete_task',
  'enter_plan_mode',
  'exit_plan_mode',
  'update_topic',
  'write_todos',
]

const writers: readonly string[] = ['write_file', 'replace', 'save_memory']

/** Tools that nobody knows, such as those of MCP servers, may do anything. */
export function effectOf(tool: string): ToolEffect {
  if (readers.includes(tool)) return 'read'
  return writers.includes(tool) ? 'write' : 'execute'
}
