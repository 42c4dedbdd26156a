/** Recorded steps in the shape in which OpenClaw sees calls: its names of tools, its details of a command that ended. */
import type { CallStep } from '../detector.ts'
import type { Ending, ToolUse } from './records.ts'
import { isPlainObject } from './values.ts'

const aliases: ReadonlyMap<string, string> = new Map([
  ['bash', 'exec'],
  ['apply-patch', 'apply_patch'],
  ['cron', 'automations'],
])

/** The digest goes along because recorded arguments may be cut. */
export function useOf({ tool, args, argsDigest }: CallStep): ToolUse {
  const lower = tool.trim().toLowerCase()
  const params = isPlainObject(args) ? { ...args, argsDigest } : { args, argsDigest }
  return { toolName: aliases.get(lower) ?? lower, params }
}

/**
 * Undefined: nothing is known of the result. A failed command is a result with exit code 1 (which code is not recorded), any
 * other failed call an error.
 */
export function endingOf(step: CallStep): Ending | undefined {
  const text = resultText(step)
  if (text === undefined) return undefined
  if (useOf(step).toolName === 'exec') return { result: { details: execDetails(step.isError, text) } }
  return step.isError === true ? { error: text } : { result: { content: [{ type: 'text', text }] } }
}

function execDetails(isError: boolean | null, aggregated: string): object {
  if (isError === null) return { status: 'completed', aggregated }
  return { status: isError ? 'failed' : 'completed', exitCode: isError ? 1 : 0, aggregated }
}

const cutMark = /\[\.\.\. \d+ chars cut \.\.\.\]/

function resultText({ result, resultDigest }: CallStep): string | undefined {
  if (result === null || resultDigest === null) return undefined
  return cutMark.test(result) ? `${result} ${resultDigest}` : result
}
