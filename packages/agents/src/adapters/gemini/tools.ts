/** The tools of Gemini CLI. */
import { edits, effectByName, readers, runs, writes, type ActReader } from '../../protocol/hooks/index.ts'

const reading = [
  ...['read_file', 'read_many_files', 'list_directory', 'glob', 'grep_search', 'search_file_content'],
  ...['google_web_search', 'web_fetch', 'get_internal_docs', 'list_mcp_resources', 'read_mcp_resource'],
  ...['write_todos', 'ask_user', 'activate_skill', 'enter_plan_mode', 'exit_plan_mode', 'update_topic'],
  'complete_task',
]

export const effectOf = effectByName(reading, ['write_file', 'replace', 'save_memory'])

export const tools: Readonly<Record<string, ActReader>> = {
  run_shell_command: runs('command', 'dir_path'),
  write_file: writes(['file_path'], ['content']),
  replace: edits(['file_path']),
  // What a sub-agent does is told to hooks call by call.
  ...readers([...reading, 'list_background_processes', 'read_background_output', 'invoke_agent']),
}
