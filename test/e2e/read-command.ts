/** Commands in this process: to start one takes longer than most of what it does. */
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { buildProgram, runProgram, withSession } from '../../packages/donecheck/src/cli/program.ts'
import { flagsNamed } from '../../packages/donecheck/src/cli/options/table.ts'

export interface Ended {
  readonly stdout: string
  readonly stderr: string
  /** Both, in the order of writing: for what may be in either. */
  readonly output: string
  readonly exitCode: number | null
}

interface Reader {
  readonly folder: string
  readonly home: string
  readonly environment?: Readonly<Record<string, string>>
  readonly stdin?: string
}

/** What it starts inherits the environment of this process all the same: where that matters, a process of its own is needed. */
export async function performCommand(
  { folder, home, environment = { HOME: home }, stdin = '' }: Reader,
  words: readonly string[],
): Promise<Ended & { readonly exitCode: number }> {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const written = Promise.all([text(stdout), text(stderr)])
  let output = ''
  for (const stream of [stdout, stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()))
  const io = { stdin: Readable.from([stdin]), stdout, stderr, environment }
  const exitCode = await runProgram(words, { ...io, currentFolder: folder, homeFolder: home })
  stdout.end()
  stderr.end()
  const [out, complaint] = await written
  return { stdout: out, stderr: complaint, output, exitCode }
}

/** @returns what it writes to standard output. @throws {Error} where it does not end with 0 */
export async function readCommand(reader: Reader, words: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await performCommand(reader, words)
  if (exitCode !== 0) throw new Error(`donecheck ${words.join(' ')} ended with ${exitCode}: ${stderr}`)
  return stdout
}

/** What the command says of words that it does not take; nothing is performed. */
export function complaintOfCall(words: readonly string[]): readonly string[] {
  const nowhere = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() }
  const io = { ...nowhere, environment: {}, currentFolder: '/', homeFolder: '/' }
  try {
    buildProgram(io, flagsNamed).parse(withSession(words), { from: 'user' })
    return []
  } catch (error) {
    const isHelp =
      error instanceof Error && 'code' in error && /^commander\.(?:help|version)/.test(String(error.code))
    return isHelp ? [] : [`donecheck ${words.join(' ')}: ${String(error)}`]
  }
}
