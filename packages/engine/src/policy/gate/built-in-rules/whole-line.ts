/** Dangers of several commands together. */
import {
  commandWords,
  programName,
  type Decomposition,
  type FoundCommand,
  writtenPlaces,
} from '../../../analysis/shell/index.ts'
import type { Danger } from './file-location.ts'

interface LineDanger extends Danger {
  /** Null if its start is not literal. */
  readonly span: readonly [number, number] | null
}

const downloaders = ['curl', 'wget', 'fetch', 'aria2c', 'http', 'https', 'xh', 'ftp', 'nc', 'ncat', 'socat']
const interpreters =
  /^(?:(?:ba|z|da|k|a|fi)?sh|python[\d.]*|node|deno|bun|perl|ruby|php|lua|osascript|pwsh|tclsh)$/u

export function dangersOfLine(
  script: string,
  { commands, obstacles, writes }: Decomposition,
): readonly LineDanger[] {
  const found: LineDanger[] = []
  const bomb = forkBomb.exec(script)
  if (bomb !== null)
    found.push({
      name: 'fork bomb',
      severity: 'forbidden',
      justification: 'it starts processes without end',
      span: [bomb.index, bomb.index + bomb[0].length],
    })
  const downloads = commands.filter((command) => isOneOf(command, downloaders))
  const [download] = downloads
  const written = [...writes, ...downloads.flatMap((found) => writtenPlaces(found) ?? [])]
  const fetched = new Set(written.flatMap(({ path }) => (path === null ? [] : [lastPart(path)])))
  const runs =
    obstacles.some(
      ({ kind, subject }) =>
        kind === 'dynamic-script' && (subject === undefined || fetched.has(lastPart(subject))),
    ) || commands.some((command) => readsItsProgram(command) || runsOneOf(command, fetched))
  if (download !== undefined && runs)
    found.push({
      name: 'running of what is downloaded',
      severity: 'dangerous',
      justification: 'nobody has looked at what it would run; download it, look at it, then run it',
      span: download.span,
    })
  return found
}

/** `f() { f | f & }; f` in any spelling; bounded, to stay fast. */
const forkBomb =
  /([\w:.-]{1,20})\s{0,9}\(\s{0,9}\)\s{0,9}\{\s{0,9}\1\s{0,9}\|\s{0,9}\1\s{0,9}&\s{0,9};?\s{0,9}\}/u

function isOneOf({ words }: FoundCommand, names: readonly string[]): boolean {
  const program = words[0]?.text ?? null
  return program !== null && names.includes(programName(program))
}

function readsItsProgram({ words, input }: FoundCommand): boolean {
  const program = words[0]?.text ?? null
  if (program === null || input !== undefined || !interpreters.test(programName(program))) return false
  const rest = words.slice(1).map(({ text }) => text)
  if (rest.some((text) => text === null || text === '-' || text === '-s' || text === '/dev/stdin'))
    return true
  return rest.every(
    (text) => text?.startsWith('-') === true && !/^-\w*[cer]|^--?(?:eval|version|help|print)/u.test(text),
  )
}

/** Started by path, or as the first argument of an interpreter. */
function runsOneOf(found: FoundCommand, fetched: ReadonlySet<string>): boolean {
  const program = found.words[0]?.text ?? ''
  if (program.includes('/') && fetched.has(lastPart(program))) return true
  const [file] = commandWords(found).operands
  return interpreters.test(programName(program)) && fetched.has(lastPart(file?.text ?? file?.written ?? ''))
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
