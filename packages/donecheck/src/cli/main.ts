import { homedir } from 'node:os'
import { runProgram } from './program.ts'

/** The command. Resolves to its exit code; never rejects. */
export async function main(words: readonly string[]): Promise<number> {
  const { stdin, stdout, stderr, env } = process
  for (const stream of [stdout, stderr]) stream.on('error', ignoreBrokenPipe)
  return runProgram(words, {
    stdin,
    stdout,
    stderr,
    environment: env,
    currentFolder: process.cwd(),
    homeFolder: homedir(),
  })
}

/** Whoever read our output has gone (`| head`): that ends the reading, not the run. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
