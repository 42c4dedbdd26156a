import type {
  Decomposition,
  FoundCommand,
  Obstacle,
  ReadTarget,
  Span,
  WriteTarget,
} from '../decomposition.ts'
import type { Variables } from './words.ts'

/** Nested wrappers and shell texts. */
export const maxDepth = 8
const maxCommands = 1_000
/** In UTF-16 units. */
export const maxLength = 65_536

interface Placed<Thing> {
  readonly thing: Thing
  readonly at: number
}

export interface Findings {
  readonly length: number
  readonly commands: Placed<FoundCommand>[]
  readonly obstacles: Placed<Obstacle>[]
  readonly writes: Placed<WriteTarget>[]
  readonly reads: Placed<ReadTarget>[]
  readonly texts: { readonly text: string; readonly place: Place }[]
  charactersLeft: number
  wordsLeft: number
  isFull: boolean
  readonly known: Set<string>
}

export interface Input {
  /** Null if only known at run time. */
  readonly text: string | null
  /** Nothing in between can have changed it. */
  readonly isSure: boolean
}

export interface Place {
  readonly findings: Findings
  /** Offset of the text in the line; null if not literally there. */
  readonly base: number | null
  /** Position that orders findings of a text that is not literally there. */
  readonly at: number
  readonly through: readonly string[]
  readonly depth: number
  readonly variables: Variables
  readonly input: Input | undefined
  /** A second reading of a part: only new findings count. */
  readonly isSecond: boolean
}

export function newFindings(length: number): Findings {
  return {
    ...{ length, commands: [], obstacles: [], writes: [], reads: [], texts: [], isFull: false },
    ...{ charactersLeft: maxLength * 8, wordsLeft: maxLength * 2, known: new Set() },
  }
}

export function spanOf(
  { pos, end }: { readonly pos: number; readonly end: number },
  { base, findings: { length } }: Place,
): Span {
  // The parser counts one character too many after a final backslash.
  return base === null ? null : [Math.min(base + pos, length), Math.min(base + end, length)]
}

export function addCommand(command: FoundCommand, place: Place): void {
  const { findings } = place
  findings.wordsLeft -= command.words.length
  if (findings.commands.length >= maxCommands || findings.wordsLeft < 0) {
    findings.isFull = true
    return
  }
  const words = command.words.slice(0, maxKeyLength).map(({ text, written }) => text ?? `\0${written}`)
  const isShort = command.words.length <= maxKeyLength
  if (isShort && isRepeated([...words, '', ...command.through].join('\0'), place)) return
  findings.commands.push({ thing: command, at: command.span?.[0] ?? place.at })
}

/** In words: a longer command is added twice rather than compared. */
const maxKeyLength = 64

export function addObstacle(obstacle: Obstacle, place: Place): void {
  const { findings } = place
  if (isRepeated(`${obstacle.kind}\0${obstacle.reason}`, place)) return
  if (findings.obstacles.length >= maxCommands) findings.isFull = true
  else findings.obstacles.push({ thing: obstacle, at: obstacle.span?.[0] ?? place.at })
}

export function addWrite(path: string | null, span: Span, place: Place): void {
  if (isRepeated(`>\0${path ?? ''}\0${span?.join() ?? ''}`, place)) return
  place.findings.writes.push({ thing: { path, span }, at: span?.[0] ?? place.at })
}

export function addRead(read: ReadTarget, place: Place): void {
  if (isRepeated(`<\0${read.written}\0${read.span?.join() ?? ''}`, place)) return
  place.findings.reads.push({ thing: read, at: read.span?.[0] ?? place.at })
}

function isRepeated(key: string, { findings: { known }, isSecond }: Place): boolean {
  const before = known.size
  return known.add(key).size === before && isSecond
}

/** Queues a text to read as commands; adds an obstacle above the limits. */
export function addText(text: string, place: Place): void {
  const { findings, depth } = place
  if (depth > maxDepth || text.length > findings.charactersLeft) {
    addTooDeep(text, place)
    return
  }
  findings.charactersLeft -= text.length
  findings.texts.push({ text, place })
}

/** Adds another reading of a part of the line. */
export function addSecondText(text: string, span: Span, place: Place): void {
  addText(text, { ...place, base: null, at: span?.[0] ?? place.at, depth: place.depth + 1, isSecond: true })
}

export function addTooDeep(text: string, place: Place): void {
  addObstacle({ kind: 'too-deep', reason: `"${shorten(text)}" is nested too deep`, span: null }, place)
}

export function toDecomposition({ commands, obstacles, writes, reads, isFull }: Findings): Decomposition {
  const reason = `there is more in it than ${maxCommands} commands of a usual length`
  const full: readonly Obstacle[] = isFull ? [{ kind: 'too-deep', reason, span: null }] : []
  return {
    commands: inOrder(commands),
    obstacles: [...inOrder(obstacles), ...full],
    writes: inOrder(writes),
    ...(reads.length === 0 ? {} : { reads: inOrder(reads) }),
  }
}

function inOrder<Thing>(placed: readonly Placed<Thing>[]): readonly Thing[] {
  return placed.toSorted((first, second) => first.at - second.at).map(({ thing }) => thing)
}

/** Collapses a text to one short line. */
export function shorten(text: string): string {
  const line = text
    .slice(0, maxShownLength * 2)
    .trim()
    .replace(/\s+/g, ' ')
  return line.length > maxShownLength ? `${line.slice(0, maxShownLength).toWellFormed()}…` : line
}

const maxShownLength = 80
