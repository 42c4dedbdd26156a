/** Files that a line downloads, and what runs one of them in the same line. */
import type { FoundCommand, WriteTarget } from '../../shell/index.ts'
import { commandWords, programName } from './command-words.ts'

/** Names that a download may have been written to: what the line writes, and what its words and addresses end with. */
export function fetchedFiles(
  downloads: readonly FoundCommand[],
  writes: readonly WriteTarget[],
): ReadonlySet<string> {
  if (downloads.length === 0) return new Set()
  const words = downloads.flatMap(({ words: [, ...args] }) => args.flatMap(({ text }) => text ?? []))
  const named = words.flatMap((word) => [word, word.replace(/^(?:-[a-zA-Z]|--[\w-]+=)/u, ''), lastPart(word)])
  return new Set([...writes.flatMap(({ path }) => path ?? []), ...named].flatMap(spellings))
}

/** It is started by its path, or given to an interpreter as the first word that is no option. */
export function runsOneOf(found: FoundCommand, fetched: ReadonlySet<string>, interpreters: RegExp): boolean {
  const program = found.words[0]?.text ?? null
  if (program === null || fetched.size === 0) return false
  if (program.includes('/') && fetched.has(program)) return true
  if (!interpreters.test(programName(program))) return false
  const [file] = commandWords(found).operands
  return file !== undefined && fetched.has(file.text ?? file.written)
}

function lastPart(address: string): string {
  return address.replace(/[?#].*$/su, '').replace(/^.*\//su, '')
}

/** `a` is `./a`. */
function spellings(path: string): readonly string[] {
  const bare = path.replace(/^(?:\.\/)+/u, '')
  return bare === '' ? [] : [bare, `./${bare}`]
}
