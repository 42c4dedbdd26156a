/** The tools of Cursor, as far as they are documented, and what its hooks tell of their results. */
import {
  actOf,
  edits,
  jsonOf,
  numberIn,
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

const paths = ['file_path', 'path', 'target_file']

const tools: Readonly<Record<string, ActReader>> = {
  Shell: runs('command', 'working_directory'),
  Write: writes(paths, ['content', 'contents']),
  StrReplace: edits(paths),
  Edit: edits(paths),
  ...Object.fromEntries(
    [
      'Read',
      'Grep',
      'Glob',
      'LS',
      'SemanticSearch',
      'WebFetch',
      'WebSearch',
      'TodoWrite',
      'ReadLints',
      'Task',
    ].map((name) => [name, reads]),
  ),
}

export function callOf(fields: Payload): HostCall | undefined {
  const tool = textIn(fields, 'tool_name')
  if (tool === undefined || tool === '') return undefined
  const args = fields['tool_input']
  return {
    callId: textIn(fields, 'tool_use_id') ?? '',
    tool,
    args: jsonOf(args),
    act: actOf(tools, tool, payloadOf(args)),
  }
}

/** Its output is JSON in a text: of a command with the exit code. */
export function resultOf(fields: Payload): HostResult {
  const durationMs = numberIn(fields, 'duration')
  const took = durationMs === undefined ? {} : { durationMs }
  const error = textIn(fields, 'error_message')
  if (error !== undefined) return { status: 'error', output: error, ...took }
  const said = textOf(fields['tool_output'])
  const told = payloadOf(parsed(said))
  const exitCode = told === undefined ? undefined : numberIn(told, 'exitCode')
  const parts = [textIn(told, 'stdout', 'output'), textIn(told, 'stderr')]
  const output = parts.filter((part) => part !== undefined && part !== '').join('\n')
  return {
    status: exitCode === undefined || exitCode === 0 ? 'ok' : 'error',
    output: output === '' ? said : output,
    ...took,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
