/** Which command a call would run, as far as it says. Pure. */
import type { JsonValue } from '@donecheck/core/events'
import { isRecord, type ToolCallNews } from './tool-call.ts'

/** Under these names agents give the command line; a list is its words. */
const commandNames = ['command', 'cmd', 'script'] as const
const folderNames = ['cwd', 'workdir', 'workingDirectory', 'directory'] as const

/**
 * The line for the shell. Agents that tell no input show it as the title of the call, some of them between backquotes. What
 * is shown need not be what is run: an agent that lies about it is not held by any answer.
 */
export function scriptOf({ input, title = '' }: ToolCallNews): string | undefined {
  const reported = isRecord(input) ? firstOf(input, commandNames) : undefined
  if (typeof reported === 'string') return reported
  if (Array.isArray(reported)) return lineOf(reported)
  const shown = /^(`{1,3})([^`]+)\1$/u.exec(title.trim())?.[2] ?? title
  return shown.trim() === '' ? undefined : shown.trim()
}

/** Where it is run, as the agent gives it. Undefined: it does not say. */
export function scriptFolderOf({ input }: ToolCallNews): string | undefined {
  const reported = isRecord(input) ? firstOf(input, folderNames) : undefined
  return typeof reported === 'string' && reported !== '' ? reported : undefined
}

function firstOf(
  input: Readonly<Record<string, JsonValue>>,
  names: readonly string[],
): JsonValue | undefined {
  const name = names.find((each) => Object.hasOwn(input, each))
  return name === undefined ? undefined : input[name]
}

const shells = /(^|\/)(ba|da|z)?sh$/u

function lineOf(list: readonly JsonValue[]): string | undefined {
  const words = list.filter((word) => typeof word === 'string')
  if (words.length !== list.length || words.length === 0) return undefined
  const [shell = '', flag, script] = words
  if (words.length === 3 && script !== undefined && shells.test(shell) && /^-l?c$/u.test(flag ?? ''))
    return script
  return words.map(quoteWord).join(' ')
}

function quoteWord(word: string): string {
  return /^[\w./:=@%+,-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
