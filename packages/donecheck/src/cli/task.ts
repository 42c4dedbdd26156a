import { text } from 'node:stream/consumers'
import { UsageError } from '../errors.ts'
import type { CliIo } from './io.ts'

/** Larger than any prompt, and small enough to be recorded. */
const longestTaskCharacters = 10_000_000

/** The words, or what standard input holds. */
export async function taskOf(words: readonly string[], io: CliIo): Promise<string> {
  const task = (words.length === 1 && words[0] === '-' ? await text(io.stdin) : words.join(' ')).trim()
  if (task === '') throw new UsageError('the task is empty; say what is to be done')
  if (task.length > longestTaskCharacters)
    throw new UsageError(
      `the task has ${task.length} characters; at most ${longestTaskCharacters} can be given: put the rest into a file of the work folder`,
    )
  return task
}
