/** The tools of Codex as its hooks name them, and what they tell of results. */
import {
  actOf,
  patches,
  payloadOf,
  reads,
  runs,
  textIn,
  textOf,
  type ActReader,
  type ClaudeDialect,
} from '../../agents/index.ts'

const tools: Readonly<Record<string, ActReader>> = {
  Bash: runs('command'),
  apply_patch: patches('command'),
  ...Object.fromEntries(
    [
      'view_image',
      'web_search',
      'update_plan',
      'get_goal',
      'create_goal',
      'update_goal',
      'request_user_input',
      'list_mcp_resources',
      'read_mcp_resource',
    ].map((name) => [name, reads]),
  ),
}

export const codexDialect: ClaudeDialect = {
  act: (tool, args) => actOf(tools, tool, args),
  // A command that ended with another code than 0 comes here too, and nothing tells which it was.
  result: (_tool, response) => ({ status: 'unknown', output: outputOf(response) }),
  waitingLists: [],
  unattended: () => undefined,
}

function outputOf(response: unknown): string {
  return textIn(payloadOf(response), 'output') ?? textOf(response)
}
