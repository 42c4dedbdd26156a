/** The tools of Gemini CLI, and what its hooks tell of their results. */
import {
  edits,
  jsonOf,
  actOf,
  payloadOf,
  reads,
  runs,
  textIn,
  textOf,
  writes,
  type ActReader,
  type HostCall,
  type HostResult,
  type Payload,
} from '../../agents/index.ts'

const tools: Readonly<Record<string, ActReader>> = {
  run_shell_command: runs('command', 'dir_path'),
  write_file: writes(['file_path'], ['content']),
  replace: edits(['file_path']),
  ...Object.fromEntries(
    [
      'read_file',
      'read_many_files',
      'list_directory',
      'glob',
      'grep_search',
      'search_file_content',
      'google_web_search',
      'web_fetch',
      'write_todos',
      'ask_user',
      'activate_skill',
      'get_internal_docs',
      'list_mcp_resources',
      'read_mcp_resource',
      'enter_plan_mode',
      'exit_plan_mode',
      'update_topic',
      'list_background_processes',
      'read_background_output',
      // What a sub-agent does is told call by call.
      'invoke_agent',
      'complete_task',
    ].map((name) => [name, reads]),
  ),
}

/** Without an id: it tells none. */
export function callOf(fields: Payload): HostCall | undefined {
  const tool = textIn(fields, 'tool_name')
  if (tool === undefined || tool === '') return undefined
  const args = fields['tool_input']
  return { callId: '', tool, args: jsonOf(args), act: actOf(tools, tool, payloadOf(args)) }
}

/** A command that ended with another code than 0 is no error for it: the code stands below the output, in its text. */
export function resultOf(response: unknown): HostResult {
  const fields = payloadOf(response)
  const content = fields === undefined ? response : fields['llmContent']
  const output = contentText(content).replace(processGroup, '')
  const error = fields?.['error']
  if (error !== undefined && error !== null) return { status: 'error', output: output || textOf(error) }
  const codes = [...output.matchAll(/^Exit Code: (\d+)$/gm)]
  const code = codes.at(-1)?.[1]
  return { status: code === undefined || code === '0' ? 'ok' : 'error', output }
}

/** Another one each time: equal calls would never give equal results. */
const processGroup = /^Process Group PGID: \d+\n?/gm

/** A text, or a list of parts. */
function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textIn(payloadOf(content), 'text') ?? textOf(content)
  return content.map((part: unknown) => contentText(part)).join('')
}
