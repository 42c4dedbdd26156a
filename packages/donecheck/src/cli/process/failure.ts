import { readFileSync, writeFileSync, type WriteFileOptions } from 'node:fs'
import { resolve } from 'node:path'
import { CommanderError } from 'commander'
import {
  CorruptEventError,
  messageOf,
  RunHeldError,
  StoreError,
  UsageError,
} from '@donecheck/engine/internal/base'
import type { CliIo } from './io.ts'

/** Writes a sentence to stderr, and with JSON a result line to stdout. @param command `patch` has its own result */
export async function reportFailure(
  error: unknown,
  isJson: boolean,
  io: CliIo,
  forced?: number,
  command?: string,
): Promise<number> {
  const exitCode = forced ?? exitCodeFor(error)
  const message = describeFailure(error)
  if (message !== '') (await import('../output/wrap.ts')).writeNotice(message, io)
  if (isJson) io.stdout.write(`${JSON.stringify(await buildResult(exitCode, message, command))}\n`)
  return exitCode
}

async function buildResult(exitCode: number, message: string, command: string | undefined): Promise<object> {
  if (command === 'patch') return patchFailure(exitCode, message)
  const { errorResult } = await import('@donecheck/engine/display')
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

function describeFailure(error: unknown): string {
  // Commander has printed the help already.
  if (error instanceof CommanderError) return error.code === 'commander.help' ? '' : lineOf(error)
  if (!(error instanceof Error)) return String(error)
  const isExpected = [UsageError, StoreError, RunHeldError, CorruptEventError].some(
    (kind) => error instanceof kind,
  )
  return isExpected ? error.message : (error.stack ?? error.message)
}

/** Checked before parsing, because wrong flags need the same format. */
export function wantsJson(words: readonly string[]): boolean {
  return words.includes('--json') || words.includes('--events')
}

function patchFailure(exitCode: number, problem: string): object {
  const kind = exitCode === usageExitCode ? 'wrong-usage' : 'error'
  return { type: 'patch', kind, problem }
}

/** Wrong usage or configuration; nothing was started. */
export const usageExitCode = 2
/** Something broke that is not the result of a run. */
export const faultExitCode = 70
export const interruptedExitCode = 130

export function toUsageError(words: (error: unknown) => string): (error: unknown) => never {
  return (error) => {
    throw new UsageError(words(error), { cause: error })
  }
}

/** @throws {UsageError} if the work throws */
export function orUsageError<Value>(work: () => Value, words: (error: unknown) => string): Value {
  try {
    return work()
  } catch (error) {
    return toUsageError(words)(error)
  }
}

/** @throws {UsageError} if the file cannot be read */
export function readText(file: string, { currentFolder }: Pick<CliIo, 'currentFolder'>): string {
  return orUsageError(
    () => readFileSync(resolve(currentFolder, file), 'utf8'),
    (error) => `${file} cannot be read: ${messageOf(error)}`,
  )
}

/** @throws {UsageError} if the file cannot be written */
export function writeText(file: string, text: string, io: CliIo, options: WriteFileOptions = {}): void {
  orUsageError(
    () => writeFileSync(resolve(io.currentFolder, file), text, options),
    (error) => `${file} cannot be written: ${messageOf(error)}`,
  )
}
