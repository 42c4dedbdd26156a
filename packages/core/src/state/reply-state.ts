import type { FactOf } from '../events/index.ts'
import type { VerdictStatus } from '../events/verdicts/index.ts'

/** A reply with what the judge said of it. */
export interface JudgedReply {
  readonly attempt: number
  readonly turn: number
  readonly text: string
  readonly status: VerdictStatus
  readonly reason: string
  readonly canRetry: boolean
  readonly category?: string
  readonly score?: number
}

export interface SettledReply extends Omit<FactOf<'reply-settled'>, 'type'> {
  readonly turn: number
  /** Undefined: it is not to be delivered, or is being delivered. */
  readonly delivery: Omit<FactOf<'reply-delivered'>, 'type'> | undefined
}

/** What is known of the replies of a run. */
export interface ReplyCheckState {
  /** Replies that were sent back. */
  readonly retries: number
  /** What the drive did since its last claim was answered: nothing of an earlier attempt counts. */
  readonly exchange: {
    readonly calls: number
    /** Ids of the calls that sent a message, or may have. */
    readonly sends: readonly string[]
    readonly streamed: boolean
  }
  /** The latest of the drive, empty or not. */
  readonly latest: { readonly text: string; readonly calls: number; readonly isError: boolean } | undefined
  readonly judged: readonly JudgedReply[]
  readonly settled: SettledReply | undefined
}
