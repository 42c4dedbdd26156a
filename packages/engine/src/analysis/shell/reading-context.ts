import type { FoundCommand, Obstacle, ReadTarget, Span, WriteTarget } from './decomposition.ts'
import type { Facts } from './words/facts.ts'
import type { Input } from './words/printed.ts'

export interface Bounds {
  /** Wrappers and texts for other shells inside each other. Default 8. */
  readonly maxDepth: number
  /** Default 1,000. */
  readonly maxCommands: number
  /** In UTF-16 units. Default 65,536. */
  readonly maxLength: number
}

/** What was found so far, and what is still to be read. */
export interface ReadingState {
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
