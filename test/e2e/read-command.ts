/** Commands that only read, in this process: to start one takes longer than all that it does. */
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { buildProgram, lazyCommands, runProgram } from '../../packages/donecheck/src/cli/program.ts'

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
  const io = { ...streams(), environment, currentFolder: folder, homeFolder: home }
  const { stdout, stderr } = io
  const written = Promise.all([text(stdout), text(stderr)])
  const exitCode = await runProgram(words, io)
  stdout.end()
  stderr.end()
  const [output, complaint] = await written
  if (exitCode !== 0) throw new Error(`donecheck ${words.join(' ')} ended with ${exitCode}: ${complaint}`)
  return output
}

/** What the command says of words that it does not take; nothing is performed. */
export function complaintOfCall(words: readonly string[]): readonly string[] {
  const io = { ...streams(), environment: {}, currentFolder: '/', homeFolder: '/' }
  const nothing = new Proxy(lazyCommands, { get: () => async () => 0 })
  try {
    buildProgram(io, nothing, () => undefined).parse(words, { from: 'user' })
    return []
  } catch (error) {
    const isHelp =
      error instanceof Error && 'code' in error && /^commander\.(?:help|version)/.test(String(error.code))
    return isHelp ? [] : [`donecheck ${words.join(' ')}: ${String(error)}`]
  }
}

function streams() {
  const stream = () => new PassThrough() as unknown as NodeJS.WriteStream
  return {
    stdin: new PassThrough().end() as unknown as NodeJS.ReadStream,
    stdout: stream(),
    stderr: stream(),
  }
}
