import { isPlainObject } from '../values.ts'
import type { ToolUse } from '../records.ts'

/** Tools that ask how something is that goes on by itself. */
export function isKnownPoll(use: ToolUse): boolean {
  return use.toolName === 'command_status' || processActionOf(use) !== undefined
}

/** Of the tool `process`: the action, if it looks at what runs. */
export function processActionOf({ toolName, params }: ToolUse): 'poll' | 'log' | undefined {
  if (toolName !== 'process' || !isPlainObject(params)) return undefined
  const { action } = params
  return action === 'poll' || action === 'log' ? action : undefined
}
