/** How the words of another system are set beside ours, in both directions. */
import type { CapName, ContinueReason, DetectorName } from '../../events/index.ts'
import type { CapKind } from './caps.ts'
import type { EndName } from './ends.ts'

/** The other system's word for one of ours, or why it has none. A note on a word says how near it comes. */
export type Counterpart<Word extends string = string> =
  { readonly word: Word; readonly note?: string } | { readonly word: null; readonly note: string }

/** Ends that no cap and no detector tells further apart. */
export type PlainEnd = Exclude<EndName, 'hard_cap' | 'loop_detected'>

/** No word of another system means `task_complete` here: only our own checks give that, so the type leaves it out. */
export type UnverifiedEnd = Exclude<EndName, 'task_complete'>

/** Our label for a word of theirs: an end, a turn that goes on, or why it is neither. */
export type OwnLabel =
  | {
      readonly kind: 'end'
      readonly name: UnverifiedEnd
      readonly cap?: CapName
      readonly detector?: DetectorName
      readonly note?: string
    }
  | { readonly kind: 'turn'; readonly reason: ContinueReason; readonly note?: string }
  | { readonly kind: 'none'; readonly note: string }

export interface Vocabulary<Word extends string = string> {
  /** The field, attribute or exit code that holds the word. */
  readonly field: string
  readonly words: readonly Word[]
  /** The words are all that the system has. Otherwise they are those that are known. */
  readonly isComplete: boolean
  /** Words that a reader takes for success. Of ours only `task_complete` may become one. */
  readonly successWords: readonly Word[]
  /** A reader takes the missing word for success, so every other end must have one. */
  readonly isSuccessWhenAbsent?: boolean
  readonly ends: Readonly<Record<PlainEnd, Counterpart<Word>>>
  readonly caps: Readonly<Record<CapKind, Counterpart<Word>>>
  readonly loops: Counterpart<Word>
  /** Where the system tells loops apart. */
  readonly detectors?: Readonly<Record<DetectorName, Counterpart<Word>>>
  readonly turns: Readonly<Record<ContinueReason, Counterpart<Word>>>
  /** Total over `words`. */
  readonly ours: Readonly<Record<Word, OwnLabel>>
}

export interface ForeignSystem {
  /** As it is typed after `--system`. */
  readonly id: string
  readonly title: string
  /** Version or document in which the words were seen. */
  readonly seenIn: string
  readonly vocabularies: readonly Vocabulary[]
}

/**
 * Checks the tables of one vocabulary against its words, then forgets which words these are: a word in a table that is
 * not in the list, or one of the list without our label, is a type error.
 */
export function vocabulary<const Word extends string>(
  words: readonly Word[],
  tables: Omit<Vocabulary<NoInfer<Word>>, 'words'>,
): Vocabulary {
  return { words, ...tables }
}
