import { CommanderError } from 'commander'
import { CorruptEventError, RunHeldError, StoreError, UsageError } from '../errors.ts'
import { faultExitCode, usageExitCode } from './exit-code.ts'
import type { CliIo } from './io.ts'

/** Says what went wrong: a sentence on stderr, and in the JSON formats a result line on stdout too. */
export async function reportFailure(
  error: unknown,
  isJson: boolean,
  io: CliIo,
  forced?: number,
): Promise<number> {
  // Loaded late: a command that goes well and has nothing to report starts sooner.
  const { errorResult, harmless } = await import('../report/index.ts')
  const exitCode = forced ?? exitCodeFor(error)
  const message = messageOf(error)
  if (message !== '') io.stderr.write(`donecheck: ${harmless(message)}\n`)
  if (isJson) io.stdout.write(`${JSON.stringify(errorResult(exitCode, message, null))}\n`)
  return exitCode
}

function exitCodeFor(error: unknown): number {
  return error instanceof UsageError || error instanceof StoreError || error instanceof RunHeldError
    ? usageExitCode
    : faultExitCode
}

function messageOf(error: unknown): string {
  // Help that was shown because nothing was asked for has said it all.
  if (error instanceof CommanderError)
    return error.code === 'commander.help' ? '' : error.message.replace(/^error: /, '')
  if (isExpected(error)) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function isExpected(error: unknown): error is Error {
  return [UsageError, StoreError, RunHeldError, CorruptEventError].some((kind) => error instanceof kind)
}

/** Asked before anything is parsed: also a wrong flag must be answered in the format that was asked for. */
export function wantsJson(words: readonly string[], environment: CliIo['environment']): boolean {
  const place = words.indexOf('--output-format')
  const format =
    words.find((word) => word.startsWith('--output-format='))?.slice('--output-format='.length) ??
    (place === -1 ? environment['DONECHECK_OUTPUT_FORMAT'] : words[place + 1])
  return format === 'json' || format === 'stream-json'
}
