import { text } from 'node:stream/consumers'
import { UsageError } from '@donecheck/engine/base'
import type { CliIo } from '../process/io.ts'

/** Larger than any prompt, and small enough to be recorded. */
const maxTaskCharacters = 10_000_000

/** The words, or what standard input holds. */
export async function readTask(words: readonly string[], io: CliIo): Promise<string> {
  const task = (words.length === 1 && words[0] === '-' ? await text(io.stdin) : words.join(' ')).trim()
  if (task === '') throw new UsageError('the task is empty; say what is to be done')
  if (task.length > maxTaskCharacters)
    throw new UsageError(
      `the task has ${task.length} characters; at most ${maxTaskCharacters} can be given: put the rest into a file of the work folder`,
    )
  return task
}
