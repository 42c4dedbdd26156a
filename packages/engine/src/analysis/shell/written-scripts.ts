/** Scripts that a line writes and then runs: what it is about to run stands in it, only not as a command. */
import type { Decomposition, FoundCommand } from './decomposition.ts'
import { isShell } from './programs/shells.ts'
import { programName } from './programs/started.ts'
import { writtenPlaces } from './writes/written-places.ts'

/** Its program is a shell that is given a file, or is itself a file. */
export function runsScript({ words }: FoundCommand): boolean {
  const program = words[0]?.text ?? ''
  return program.includes('/') || program === '.' || program === 'source' || isShell(programName(program))
}

/**
 * Texts of which one may come into a file that the line runs. Files are told apart by their last name alone, for the line may go
 * elsewhere in between.
 * @param runs which programs run a file that they are given
 */
export function textsWrittenAndRun(
  { commands, writes, reads = [] }: Decomposition,
  runs: (found: FoundCommand) => boolean = runsScript,
): readonly string[] {
  const running = commands.filter(runs)
  if (running.length === 0) return []
  const run = [...running.flatMap(filesOf), ...reads.flatMap(({ path }) => path ?? [])].map(nameOf)
  const places = commands.flatMap((found) => writtenPlaces(found) ?? [])
  const written = new Set(
    [...writes, ...places.filter(({ kind }) => kind === 'file')].flatMap(({ path }) =>
      path === null ? [] : [nameOf(path)],
    ),
  )
  if (!run.some((name) => written.has(name))) return []
  const texts = commands.filter(prints).flatMap(textsOf)
  return texts.length > maxTexts ? [texts.join('\n')] : texts
}

/** More of them are read as one: each on its own would take too long. */
const maxTexts = 16

/** It prints, or writes, what it is given. */
export function prints({ words }: FoundCommand): boolean {
  return /^(?:echo|printf|cat|tee)$/u.test(programName(words[0]?.text ?? ''))
}

export function textsOf({ words, input }: FoundCommand): readonly string[] {
  const [, ...texts] = words.map(({ text, written }) => (text ?? written).replaceAll('\\n', '\n'))
  return [texts.join(' '), ...(input === undefined ? [] : [input])]
}

function filesOf({ words }: FoundCommand): readonly string[] {
  const [program = '', ...rest] = words.map(({ text, written }) => text ?? written)
  const makefiles = /^g?make$/u.test(programName(program)) ? ['GNUmakefile', 'makefile', 'Makefile'] : []
  const operands = rest.filter((word) => word !== '' && !/^-|[\s;()]/u.test(word))
  return [...(program.includes('/') ? [program] : []), ...operands, ...makefiles]
}

/** `./a/x.py` is `x`: some runners find their file without its ending. */
function nameOf(path: string): string {
  return path.replace(/^.*\//su, '').replace(/(?<=.)\.[cm]?[jt]sx?$/u, '')
}
