/**
 * Every process that this one starts is marked, and its children inherit the mark, so that one that was left behind is
 * recognized. The mark is a hard limit on Linux, which every child inherits and only the administrator can raise; and a variable
 * of the environment, which checks do not get: a product could read it, and behave well only while it is checked.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { isRunnable } from './find-program.ts'
import { environmentOfProcess, hardLimitOf } from './linux-processes.ts'

export const processMark = { name: 'DONECHECK_MARK', value: randomBytes(16).toString('hex') } as const

/** Linux keeps this limit and has enforced it nowhere since its version 2.4: a number there changes nothing. */
const unusedLimit = 'Max file locks'
/** So many numbers there are for the marks of all donechecks of a machine. */
const marks = 2 ** 47
let number: number | null | undefined

/** Below that of a donecheck that we work for. Null: this system has no such limit. */
function markNumber(): number | null {
  if (number !== undefined) return number
  const limit = hardLimitOf('self', unusedLimit)
  const highest = limit ?? Number.MAX_SAFE_INTEGER
  number = limit === undefined || highest <= marks ? null : highest - 1 - randomInt(marks)
  return number
}

/** Whether we have started it, or something that we have started has. */
export function isMarked(id: number): boolean {
  const limit = markNumber()
  if (limit !== null && hardLimitOf(id, unusedLimit) === limit) return true
  return environmentOfProcess(id).includes(`${processMark.name}=${processMark.value}`)
}

/** Whether this or another donecheck has started it. A process that sets the variable itself only harms itself. */
export function isOfSomeDonecheck(id: number): boolean {
  const limit = hardLimitOf(id, unusedLimit)
  if (typeof limit === 'number' && limit > marks) return true
  return environmentOfProcess(id).some((variable) => variable.startsWith(`${processMark.name}=`))
}

/**
 * Words that mark themselves before they become the program. A program that is not there stays as it is, so that the system
 * says what is wrong with it.
 */
export function markingWords(
  words: readonly [string, ...string[]],
  folder: string,
  environment: Readonly<Record<string, string>>,
): readonly [string, ...string[]] {
  const limit = markNumber()
  if (limit === null || !isRunnable('/bin/sh') || !isThere(words[0], folder, environment['PATH'] ?? ''))
    return words
  // The letter is another one in each shell.
  const line = `ulimit -w ${limit} 2>/dev/null || ulimit -x ${limit} 2>/dev/null; exec "$@"`
  return ['/bin/sh', '-c', line, 'sh', ...words]
}

function isThere(program: string, folder: string, path: string): boolean {
  if (program.includes('/')) return isRunnable(resolve(folder, program))
  const folders = path.split(':').filter((part) => part !== '')
  return folders.some((part) => isRunnable(resolve(folder, part, program)))
}
