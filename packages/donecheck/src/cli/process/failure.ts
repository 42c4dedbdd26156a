import { CommanderError } from 'commander'
import { CorruptEventError, RunHeldError, StoreError, UsageError } from '@donecheck/engine/base'
import type { CliIo } from './io.ts'

/**
 * Says what went wrong: a sentence on stderr, and in the JSON formats a result line on stdout too.
 * @param command the word that was typed first, where it is known: `patch` has a result of its own form
 */
export async function reportFailure(
  error: unknown,
  isJson: boolean,
  io: CliIo,
  forced?: number,
  command?: string,
): Promise<number> {
  const exitCode = forced ?? exitCodeFor(error)
  const message = messageOf(error)
  // Loaded late: most commands have no need of it.
  if (message !== '') (await import('../output/wrap.ts')).writeNotice(message, io)
  if (isJson) io.stdout.write(`${JSON.stringify(await buildResult(exitCode, message, command))}\n`)
  return exitCode
}

async function buildResult(exitCode: number, message: string, command: string | undefined): Promise<object> {
  if (command === 'patch') return patchFailure(exitCode, message)
  const { errorResult } = await import('@donecheck/engine/report')
  return errorResult(exitCode, message, null)
}

function exitCodeFor(error: unknown): number {
  return error instanceof UsageError || error instanceof StoreError || error instanceof RunHeldError
    ? usageExitCode
    : faultExitCode
}

function lineOf({ code, message }: CommanderError): string {
  const line = message.replace(/^error: /, '').replace('\n(', ' (')
  return code === 'commander.missingArgument' ? `${line}; --help shows how it is typed` : line
}

function messageOf(error: unknown): string {
  // Help that was shown because nothing was asked for has said it all.
  if (error instanceof CommanderError) return error.code === 'commander.help' ? '' : lineOf(error)
  if (isExpected(error)) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function isExpected(error: unknown): error is Error {
  return [UsageError, StoreError, RunHeldError, CorruptEventError].some((kind) => error instanceof kind)
}

/** Asked before anything is parsed: also a wrong flag must be answered in the format that was asked for. */
export function wantsJson(words: readonly string[]): boolean {
  return words.includes('--json') || words.includes('--events')
}

/** What `donecheck patch` says in JSON where it could not even begin. @param problem a sentence */
function patchFailure(exitCode: number, problem: string): object {
  const kind = exitCode === usageExitCode ? 'wrong-usage' : 'error'
  return { type: 'patch', kind, problem }
}

/** Wrong usage and wrong configuration: nothing was begun. */
export const usageExitCode = 2
/** Something broke that is not the run's own end. */
export const faultExitCode = 70
/** The user ended it. The same as of a run that was interrupted. */
export const interruptedExitCode = 130

/** For what a promise rejects with. @param words what went wrong, with the way out */
export function toUsageError(words: (error: unknown) => string): (error: unknown) => never {
  return (error) => {
    throw new UsageError(words(error), { cause: error })
  }
}

/** What the work gives. @throws {UsageError} in these words where it throws anything */
export function orUsageError<Value>(work: () => Value, words: (error: unknown) => string): Value {
  try {
    return work()
  } catch (error) {
    return toUsageError(words)(error)
  }
}
