/** What is kept of a tool call for as long as it can matter to a rule. */
import type { AmountSaid } from './read-outcome.ts'

/** `ran`: the call was tried. `vetoed`: a rule of the soft tier refused it. */
export type CallStatus = 'ran' | 'vetoed'

/** A call and what came of it, as far as rules look at it. */
export interface CallFact {
  /** Of the event that answered it. */
  readonly sequence: number
  /** Equal for calls that were asked for at one time: the number of the turn, or of the reply within a turn of many (`batchOf`). */
  readonly turn: number
  readonly tool: string
  /** Equal for calls that mean the same: tool and arguments, volatile keys left out. */
  readonly call: string
  /** Equal for results that say the same; null: unknown, and equal to nothing. */
  readonly outcome: string | null
  /** A sketch of the lines of its result. Absent or empty: nobody knows. */
  readonly lines?: string
  /** Equal for failures that say the same, whatever was called; null: it did not fail, or nobody knows. */
  readonly failure: string | null
  readonly callStatus: CallStatus
  /** It waits, sleeps or asks how something stands. */
  readonly waits: boolean
  /** A change that changed nothing. */
  readonly noOp: boolean
  /** It lets time pass by itself, so asking after it is no hurry. Absent: it does not, or nobody knows. */
  readonly pauses?: true
  /** It changes nothing, as far as its tool's effect or name says. Absent: nobody knows. */
  readonly looks?: true
  /** How much its result says. Absent: nobody knows. */
  readonly said?: AmountSaid
  /** It is there to change the work, and did not fail. Absent: it is not, or nobody knows. */
  readonly edits?: true
  /** Equal for failing calls that differ in nothing but the paths that they name. Absent: it did not fail, or it names none. */
  readonly pattern?: string
  /** Its tool is declared to change nothing: the same result is a repetition, whatever was done in between. */
  readonly readOnly?: true
}

export interface CallRecord extends CallFact {
  /** How often this call had this outcome before, without progress between (`readOnly`: at all): 0 for something new. */
  readonly repeat: number
  /** How often in a row it said this or nearly this before. */
  readonly alike: number
  /** Pieces before this one in work through a list: calls of one pattern, each with paths of its own. Absent: none. */
  readonly listed?: number
  /** The call before it waited: it looks how something stands. Absent: it did not. */
  readonly afterWait?: true
  /** Progress made before it: calls of different generations were made on different work. */
  readonly generation: number
}
