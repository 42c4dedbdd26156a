import { chants } from '../texts/chants.ts'
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
  /** It says one passage over and over. */
  readonly chants: boolean
  readonly characters: number
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
  const { calls, claimed, sequence = 0 } = reply
  return {
    sequence,
    turn,
    text: text === '' ? '' : textHash(text),
    chants: chants(reply.text),
    characters: reply.text.length,
    calls,
    claimed,
  }
}

function comparedText(text: string): string {
  const flat = maskVolatile(text.slice(-maxTextLength), false).toLowerCase().replace(/\s+/g, ' ')
  return flat.replace(leadingCount, '').replace(trailingCount, '$1')
}
