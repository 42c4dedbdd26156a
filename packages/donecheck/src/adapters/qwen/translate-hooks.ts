/** The tools of Qwen Code, and what its hooks tell of their results. */
import {
  actOf,
  edits,
  payloadOf,
  reads,
  runs,
  textIn,
  textOf,
  writes,
  type ActReader,
  type ClaudeDialect,
} from '../../agents/index.ts'

const tools: Readonly<Record<string, ActReader>> = {
  run_shell_command: runs('command', 'directory'),
  write_file: writes(['file_path', 'absolute_path'], ['content']),
  edit: edits(['file_path', 'absolute_path']),
  ...Object.fromEntries(
    [
      'read_file',
      'read_many_files',
      'list_directory',
      'glob',
      'grep_search',
      'web_fetch',
      'web_search',
      'todo_write',
      'task',
      'agent',
      'skill',
      'ask_user_question',
      'exit_plan_mode',
      'lsp',
      'list_agents',
      'tool_search',
      'get_goal',
      'update_goal',
    ].map((name) => [name, reads]),
  ),
}

export const qwenDialect: ClaudeDialect = {
  act: (tool, args) => actOf(tools, tool, args),
  result: (_tool, response) => {
    const output =
      textIn(payloadOf(response), 'llmContent', 'output', 'content', 'stdout') ?? textOf(response)
    const code = /^Exit Code: (\d+)$/m.exec(output)?.[1]
    return { status: code === undefined || code === '0' ? 'ok' : 'error', output }
  },
  waitingLists: ['background_tasks', 'crons'],
  unattended: () => undefined,
}
