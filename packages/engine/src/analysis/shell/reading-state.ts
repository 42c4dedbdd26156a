/** What was found in a line so far, and where in it the reading stands. */
import type {
  Decomposition,
  FoundCommand,
  Obstacle,
  ObstacleKind,
  ReadTarget,
  Span,
  WriteTarget,
} from './decomposition.ts'
import type { Facts } from './words/facts.ts'
import type { Input } from './words/resolve.ts'

export interface Bounds {
  /** Wrappers and texts for other shells inside each other. Default 8. */
  readonly maxDepth: number
  /** Default 1,000. */
  readonly maxCommands: number
  /** In UTF-16 units. Default 65,536. */
  readonly maxLength: number
}

/** What was found so far, and what is still to be read. */
interface ReadingState {
  readonly bounds: Bounds
  /** Of the whole line, in UTF-16 units. */
  readonly length: number
  readonly commands: Placed<FoundCommand>[]
  readonly obstacles: Placed<Obstacle>[]
  readonly writes: Placed<WriteTarget>[]
  readonly reads: Placed<ReadTarget>[]
  readonly texts: PendingText[]
  /** Of all texts that may still be read. */
  charactersLeft: number
  /** Of all commands that may still be found. */
  wordsLeft: number
  /** More was there than may be looked at. */
  isFull: boolean
  readonly known: Set<string>
}

/** A text that is still to be read as commands. */
export interface PendingText {
  readonly text: string
  readonly place: ReadingContext
}

export interface Placed<Thing> {
  readonly thing: Thing
  readonly at: number
}

/** Where something stands that is read. */
export interface ReadingContext {
  readonly ledger: ReadingState
  /** Where the text begins in the whole line; null: it is not literally there. */
  readonly base: number | null
  /** The position by which it is put in order: its own, or that of the word that holds it. */
  readonly at: number
  /** Of the words that hold the text, where it is not literally there. */
  readonly holder: Span
  readonly through: readonly string[]
  readonly depth: number
  /** The shell is known to read as `bash` does; otherwise it may be a plain `sh`. */
  readonly isBash: boolean
  readonly facts: Facts
  /** Standard input, where the line gives it. */
  readonly input: Input | undefined
  /** A reading beside the first one: what is known already is not told twice. */
  readonly isSecond: boolean
}

export function spanOf(
  { pos, end }: { readonly pos: number; readonly end: number },
  { base, ledger }: ReadingContext,
): Span {
  if (base === null) return null
  // The parser counts one character too many behind a last backslash.
  const last = ledger.length
  return [Math.min(base + pos, last), Math.min(base + end, last)]
}

export function newReadingState(bounds: Bounds, length: number): ReadingState {
  return {
    bounds,
    length,
    commands: [],
    obstacles: [],
    writes: [],
    reads: [],
    texts: [],
    charactersLeft: bounds.maxLength * 8,
    wordsLeft: bounds.maxLength * 2,
    isFull: false,
    known: new Set(),
  }
}

export function addCommand(command: FoundCommand, { ledger, at, holder, isSecond }: ReadingContext): void {
  ledger.wordsLeft -= command.words.length
  if (ledger.commands.length >= ledger.bounds.maxCommands || ledger.wordsLeft < 0) {
    ledger.isFull = true
    return
  }
  if (command.words.length <= maxKeyLength) {
    const words = command.words.map(({ text, written }) => text ?? `\0${written}`)
    if (isKnown([...words, '', ...command.through].join('\0'), ledger) && isSecond) return
  }
  const thing = command.span === null && holder !== null ? { ...command, holder } : command
  ledger.commands.push({ thing, at: command.span?.[0] ?? at })
}

/** In words: a command that is longer is told twice rather than compared. */
const maxKeyLength = 64

export function addObstacle(
  kind: ObstacleKind,
  reason: string,
  span: Span,
  { ledger, at, isSecond }: ReadingContext,
  subject?: string,
): void {
  if (isKnown(`${kind}\0${reason}`, ledger) && isSecond) return
  const obstacle: Obstacle = { kind, reason, span, ...(subject === undefined ? {} : { subject }) }
  if (ledger.obstacles.length >= ledger.bounds.maxCommands) ledger.isFull = true
  else ledger.obstacles.push({ thing: obstacle, at: span?.[0] ?? at })
}

function isKnown(key: string, { known }: ReadingState): boolean {
  const before = known.size
  return known.add(key).size === before
}

export function addWrite(path: string | null, span: Span, { ledger, at, isSecond }: ReadingContext): void {
  if (isKnown(`>\0${path ?? ''}\0${span?.join() ?? ''}`, ledger) && isSecond) return
  ledger.writes.push({ thing: { path, span }, at: span?.[0] ?? at })
}

export function addRead(read: ReadTarget, { ledger, at, isSecond }: ReadingContext): void {
  if (isKnown(`<\0${read.written}\0${read.span?.join() ?? ''}`, ledger) && isSecond) return
  ledger.reads.push({ thing: read, at: read.span?.[0] ?? at })
}

export function addTooDeep(text: string, span: Span, place: ReadingContext): void {
  addObstacle('too-deep', `"${formatText(text)}" is nested too deep`, span, place)
}

/** A text that is to be read later: within its bounds, or an obstacle. */
export function addText(text: string, place: ReadingContext): void {
  const { ledger, depth } = place
  if (depth > ledger.bounds.maxDepth || text.length > ledger.charactersLeft) {
    const why = depth > ledger.bounds.maxDepth ? 'nested too deep' : 'more than may be read'
    addObstacle('too-deep', `"${formatText(text)}" is ${why}`, null, place)
    return
  }
  ledger.charactersLeft -= text.length
  ledger.texts.push({ text, place })
}

/** Reads a text again that stands at this place in another form: only what is new in it counts. */
export function addSecondText(text: string, span: Span, place: ReadingContext): void {
  const holder = span ?? place.holder
  const at = span?.[0] ?? place.at
  addText(text, { ...place, base: null, at, holder, depth: place.depth + 1, isSecond: true })
}

export function decompositionOf(state: ReadingState): Decomposition {
  const reason = `there is more in it than ${state.bounds.maxCommands} commands of a usual length`
  const full: Obstacle = { kind: 'too-deep', reason, span: null }
  return {
    commands: inOrder(state.commands),
    obstacles: [...inOrder(state.obstacles), ...(state.isFull ? [full] : [])],
    writes: inOrder(state.writes),
    ...(state.reads.length === 0 ? {} : { reads: inOrder(state.reads) }),
  }
}

function inOrder<Thing>(placed: readonly Placed<Thing>[]): readonly Thing[] {
  return placed.toSorted((first, second) => first.at - second.at).map(({ thing }) => thing)
}

/** For a sentence: on one line and not too long. */
export function formatText(text: string): string {
  const line = text
    .slice(0, maxShownLength * 2)
    .trim()
    .replace(/\s+/g, ' ')
  return line.length > maxShownLength ? `${line.slice(0, maxShownLength).toWellFormed()}…` : line
}

const maxShownLength = 80
