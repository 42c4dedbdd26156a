import { homedir, userInfo } from 'node:os'
import { faultExitCode, interruptedExitCode, wantsJson, orUsageError } from './process/failure.ts'
import type { CliIo } from './process/io.ts'
import { runProgram } from './program.ts'

/** The command. Resolves to its exit code; never rejects. */
export async function main(words: readonly string[]): Promise<number> {
  // The command line names what is held out, and whoever lists the processes reads it.
  process.title = 'donecheck'
  const { stdout, stderr } = process
  for (const stream of [stdout, stderr]) stream.on('error', ignoreLostReader)
  process.once('uncaughtException', (error) => {
    stderr.write(`donecheck: ${error.stack ?? error.message}\n`)
    process.exit(faultExitCode)
  })
  const io = ownIo()
  const onEarlyInterrupt = () => void endEarly(words, io)
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, onEarlyInterrupt)
  return runProgram(words, io)
}

/** The world of this process. Standard input is opened when it is read: that takes as long as all else of a small command. */
export function ownIo(): CliIo {
  const { stdout, stderr, env: environment } = process
  // An empty HOME names no folder: the account's own is meant.
  const homeFolder = homedir() === '' ? userInfo().homedir : homedir()
  return {
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr,
    environment,
    get currentFolder() {
      return currentFolder()
    },
    homeFolder,
  }
}

/** @throws {UsageError} where it was removed under the shell that stands in it */
function currentFolder(): string {
  return orUsageError(
    () => process.cwd(),
    () => 'the current folder is gone; change to one that exists (cd), and try again',
  )
}

/** Whoever read our output has gone (`| head`, a closed terminal): that ends the reading, not the run. */
function ignoreLostReader(error: NodeJS.ErrnoException): void {
  if (!['EPIPE', 'EIO', 'ENXIO', 'ECONNRESET', 'ENOSPC'].includes(error.code ?? '')) throw error
}

/** Before a run listens for itself, nothing is begun that would have to be ended. */
async function endEarly(words: readonly string[], io: CliIo): Promise<void> {
  if (process.listenerCount('SIGINT') > 1) return
  const { interruptedResult } = await import('@donecheck/engine/report')
  if (wantsJson(words)) io.stdout.write(`${JSON.stringify(interruptedResult())}\n`)
  process.exit(interruptedExitCode)
}
