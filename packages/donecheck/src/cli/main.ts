import { homedir } from 'node:os'
import { runProgram } from './program.ts'

/** The command. Resolves to its exit code; never rejects. */
export async function main(words: readonly string[]): Promise<number> {
  const { stdin, stdout, stderr, env } = process
  return runProgram(words, {
    stdin,
    stdout,
    stderr,
    environment: env,
    currentFolder: process.cwd(),
    homeFolder: homedir(),
  })
}
