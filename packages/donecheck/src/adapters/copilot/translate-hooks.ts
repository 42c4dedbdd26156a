/** The tools of Copilot CLI, and what its hooks tell of their results. */
import {
  actOf,
  edits,
  jsonOf,
  patches,
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
  bash: runs('command'),
  powershell: runs('command'),
  create: writes(['path', 'file_path'], ['file_text', 'content']),
  edit: edits(['path', 'file_path']),
  str_replace_editor: edits(['path', 'file_path']),
  apply_patch: patches('patch'),
  ...Object.fromEntries(
    [
      'view',
      'grep',
      'rg',
      'glob',
      'web_fetch',
      'web_search',
      'ask_user',
      'update_todo',
      'report_intent',
      'task',
      'skill',
      'read_bash',
      'list_bash',
      'stop_bash',
      'list_agents',
      'read_agent',
      'fetch_copilot_cli_documentation',
    ].map((name) => [name, reads]),
  ),
}

/** Without an id: it tells none. Arguments come as an object, and in older versions as its text. */
export function callOf(fields: Payload): HostCall | undefined {
  const tool = textIn(fields, 'toolName')
  if (tool === undefined || tool === '') return undefined
  const args = parsed(fields['toolArgs'])
  const act = tool === 'apply_patch' && typeof args === 'string' ? patchOf(args) : undefined
  return { callId: '', tool, args: jsonOf(args), act: act ?? actOf(tools, tool, payloadOf(args)) }
}

function patchOf(patch: string): HostCall['act'] {
  return { kind: 'patch', patch }
}

function parsed(args: unknown): unknown {
  if (typeof args !== 'string') return args
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}

/** A command that ended with another code than 0 is a success for it: the code stands in its last line. */
export function resultOf(fields: Payload): HostResult {
  const error = fields['error']
  if (error !== undefined)
    return { status: 'error', output: textIn(payloadOf(error), 'message') ?? textOf(error) }
  const result = payloadOf(fields['toolResult'])
  const said = textIn(result, 'textResultForLlm') ?? textOf(fields['toolResult'])
  // Another one each time: equal calls would never give equal results.
  const output = said.replace(/<shellId: \S+ completed(?= with exit code -?\d+>\s*$)/, '<exited')
  const code = /<exited with exit code (-?\d+)>\s*$/.exec(output)?.[1] ?? '0'
  const isWell = (textIn(result, 'resultType') ?? 'success') === 'success' && code === '0'
  return { status: isWell ? 'ok' : 'error', output }
}
