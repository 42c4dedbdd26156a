/** What is kept of a reply of the drive: enough to see that it says the same again. */

export interface ReplyFact {
  /** Of the event; 0 for a reply that comes from elsewhere. */
  readonly sequence: number
  /** As that of its calls. */
  readonly turn: number
  /** Equal for texts that differ in nothing but case, spaces, times and a count around them; empty for an empty text. */
  readonly text: string
  /** A sketch of its words (MinHash): the share of equal places estimates how much two texts have in common. */
  readonly sketch: readonly number[]
  /** The part of the text, 0 to 1, that repeats what stands in front of it. */
  readonly chanting: number
  readonly characters: number
  /** Of the part that was compared. */
  readonly words: number
  /** Calls that it asked for. */
  readonly calls: number
  readonly claimed: boolean
}

export interface ReplyRecord extends ReplyFact {
  /** Progress made before it: between replies of one generation the work did not become new. */
  readonly generation: number
}
