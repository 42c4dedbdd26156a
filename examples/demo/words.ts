/** What the demo is told on its command line. */
import { UsageError } from 'donecheck'
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { OwnProject } from './own-project.ts'

/** Undefined without arguments. @throws {UsageError} */
export function ownProjectOf(words: readonly string[]): OwnProject | undefined {
  if (words.length === 0) return undefined
  const { values, positionals } = read(words)
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1)
    throw new UsageError(
      `name one folder, such as demo.ts FOLDER --until "npm test"; it got ${positionals.length}`,
    )
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`${folder} is not a folder; name the one that holds the project`)
  if (values.until === undefined) throw new UsageError('add the check that fails, such as --until "npm test"')
  return {
    folder,
    until: values.until,
    inPlace: values['in-place'],
    maxTries: wholeNumber('max-tries', values['max-tries']),
    timeoutMs: wholeNumber('timeout', values.timeout) * 1000,
  }
}

function read(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        until: { type: 'string' },
        'in-place': { type: 'boolean', default: false },
        'max-tries': { type: 'string', default: '200' },
        timeout: { type: 'string', default: '60' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} must be a whole number from 1, not ${text}`)
}
