import { chantingOf } from '../texts/chanting.ts'
import { maskVolatile } from '../texts/mask-volatile.ts'
import { textHash } from '../texts/text-hash.ts'

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

/** Longer texts are judged by their end: what a drive that chants says last. */
const maxTextLength = 8000
/** Places of a sketch: the error of an estimated share is about 1 / sqrt(places). */
const sketchPlaces = 24
/** Words of one shingle. */
const shingleWords = 3
/** A count that stands before or after what is said, as in `3. I look`, `I look. (3)`; one that ends a sentence is part of it. */
const leadingCount = /^[\s(#]*\d{1,6}[.):]+\s+/
const trailingCount = /([.!?])\s+[(#]*\d{1,6}[.)]*$/

/** A reply as it was told. */
export interface ModelReplyFacts {
  readonly text: string
  /** Calls that it asked for. */
  readonly calls: number
  readonly claimed: boolean
  /** Of its event. Absent: it comes from elsewhere. */
  readonly sequence?: number
}

/** What is kept of a reply. Linear in the length of its text. */
export function replyRecord(turn: number, reply: ModelReplyFacts): ReplyFact {
  const text = comparedText(reply.text)
  const words = text.split(' ').filter((word) => word !== '')
  const { calls, claimed, sequence = 0 } = reply
  return {
    sequence,
    turn,
    text: text === '' ? '' : textHash(text),
    sketch: sketchOf(words),
    chanting: chantingOf(reply.text),
    characters: reply.text.length,
    words: words.length,
    calls,
    claimed,
  }
}

function comparedText(text: string): string {
  const flat = maskVolatile(text.slice(-maxTextLength), false).toLowerCase().replace(/\s+/g, ' ')
  return flat.replace(leadingCount, '').replace(trailingCount, '$1')
}

/** MinHash over shingles of words (Broder 1997): one hash per shingle, mixed anew for every place. */
function sketchOf(words: readonly string[]): readonly number[] {
  if (words.length < shingleWords) return []
  const least = new Array<number>(sketchPlaces).fill(0xffffffff)
  const hashes = words.map(hash32)
  for (let index = 0; index + shingleWords <= words.length; index += 1) {
    let hash = 0
    for (let word = index; word < index + shingleWords; word += 1)
      hash = Math.imul(hash ^ (hashes[word] ?? 0), 0x01000193)
    for (let place = 0; place < sketchPlaces; place += 1) {
      const mixed = mix(hash, place)
      if (mixed < (least[place] ?? 0)) least[place] = mixed
    }
  }
  return least
}

function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

function mix(hash: number, place: number): number {
  let mixed = Math.imul(hash ^ Math.imul(place + 1, 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Share of places in which two sketches agree: an estimate of the shingles that both texts have. */
export function similarity(one: readonly number[], other: readonly number[]): number {
  if (one.length === 0 || one.length !== other.length) return 0
  let equal = 0
  for (let place = 0; place < one.length; place += 1) if (one[place] === other[place]) equal += 1
  return equal / one.length
}
