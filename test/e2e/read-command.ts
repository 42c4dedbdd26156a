/** Commands that only read, in this process: to start one takes longer than all that it does. */
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runProgram } from '../../packages/donecheck/src/cli/program.ts'

interface Reader {
  readonly folder: string
  readonly home: string
  readonly environment?: Readonly<Record<string, string>>
}

/** @returns what it writes to standard output. @throws {Error} where it does not end with 0 */
export async function readCommand(
  { folder, home, environment = { HOME: home } }: Reader,
  words: readonly string[],
): Promise<string> {
  const stream = () => new PassThrough() as unknown as NodeJS.WriteStream
  const [stdout, stderr] = [stream(), stream()]
  const stdin = new PassThrough().end() as unknown as NodeJS.ReadStream
  const written = Promise.all([text(stdout), text(stderr)])
  const io = { stdin, stdout, stderr, environment, currentFolder: folder, homeFolder: home }
  const exitCode = await runProgram(words, io)
  stdout.end()
  stderr.end()
  const [output, complaint] = await written
  if (exitCode !== 0) throw new Error(`donecheck ${words.join(' ')} ended with ${exitCode}: ${complaint}`)
  return output
}
