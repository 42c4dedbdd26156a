import { homedir, userInfo } from 'node:os'
import { faultExitCode, interruptedExitCode, wantsJson, orUsageError } from './process/failure.ts'
import type { CliIo } from './process/io.ts'
import { runProgram } from './program.ts'

/** Never rejects. */
export async function main(words: readonly string[]): Promise<number> {
  // Process lists would show held-out checks.
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

/** Opens standard input only when it is read, because that is slow. */
export function ownIo(): CliIo {
  const { stdout, stderr, env: environment } = process
  // An empty HOME names no folder.
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

/** @throws {UsageError} if the folder was removed */
function currentFolder(): string {
  return orUsageError(
    () => process.cwd(),
    () => 'the current folder is gone; change to one that exists (cd), and try again',
  )
}

/** A closed pipe ends the output, not the run. */
function ignoreLostReader(error: NodeJS.ErrnoException): void {
  if (!['EPIPE', 'EIO', 'ENXIO', 'ECONNRESET', 'ENOSPC'].includes(error.code ?? '')) throw error
}

/** Until a run listens for signals itself, there is nothing to clean up. */
async function endEarly(words: readonly string[], io: CliIo): Promise<void> {
  if (process.listenerCount('SIGINT') > 1) return
  const { interruptedResult } = await import('@donecheck/engine/display')
  if (wantsJson(words)) io.stdout.write(`${JSON.stringify(interruptedResult())}\n`)
  process.exit(interruptedExitCode)
}
