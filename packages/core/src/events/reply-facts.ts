/** Facts of the verification of replies: a reply is judged before it is delivered, sent back where it falls short, and delivered once. */
import type { UndecidedReplies } from '../base/index.ts'
import type { Verdict, VerdictStatus } from './verdict.ts'

/** What becomes of a reply, and why. */
export const replyEndings = [
  /** The judge is content. */
  'passed',
  /** No attempt is left: the best one is delivered. */
  'exhausted',
  /** The judge could not decide. */
  'undecided',
  /** The run ended before a reply passed. */
  'ended-early',
  /** It claims nothing that is to be verified. */
  'not-triggered',
  /** Nothing in it can be judged, or its user has it already. */
  'skipped',
] as const
export type ReplyEnding = (typeof replyEndings)[number]

/** Why a reply is not judged, in the order in which they are asked. */
export const replySkips = [
  'pending-tool-calls',
  'sent-by-tool',
  'streamed',
  'empty-reply',
  'error-reply',
] as const
export type ReplySkip = (typeof replySkips)[number]

/** How replies are verified: recorded with the run. */
export interface ReplyCheckSettings {
  /** The first one included. */
  readonly maxAttempts: number
  /** `all`, or words of which one must claim something; words that turn such a claim into its opposite. */
  readonly trigger: 'all' | { readonly keywords: readonly string[]; readonly negations: readonly string[] }
  readonly onUndecided: UndecidedReplies
  /** Names of tools that send a message to whom the reply is for. */
  readonly messagingTools: readonly string[]
  /** What comes in of the first attempt reaches the user at once. */
  readonly streams: boolean
  /** Somebody takes the reply. */
  readonly delivers: boolean
  /** What passes is verified where no check decides otherwise. False: the judge advises alone. */
  readonly verifies: boolean
  /** Of the models that judge, such as `claude`. Absent: no model judges, or it is not known. */
  readonly families?: readonly string[]
}

/** Announced before the judge is asked (I4). */
export interface ReplyJudgingStarted {
  readonly type: 'reply-judging-started'
  readonly attempt: number
  readonly maxAttempts: number
}

/** Passed, failed, or undecided. */
export interface ReplyJudged {
  readonly type: 'reply-judged'
  readonly attempt: number
  readonly verdict: Verdict
}

/** Recorded before the reply is handed on: what must not happen twice is announced (I4). */
export interface ReplySettled {
  readonly type: 'reply-settled'
  readonly ending: ReplyEnding
  /** Of `skipped` alone. */
  readonly skip?: ReplySkip
  /** Whose text it is. */
  readonly attempt: number
  /** Empty: there is nothing to deliver. */
  readonly text: string
  /** One sentence for a person. */
  readonly message: string
  /** It is handed to whoever takes replies. */
  readonly delivers: boolean
}

/** `unknown`: the process died while it was handed on. It is not handed on again. */
export const deliveryStatuses = ['delivered', 'failed', 'unknown'] as const

export interface ReplyDelivered {
  readonly type: 'reply-delivered'
  readonly status: (typeof deliveryStatuses)[number]
  readonly problem?: string
}

export type ReplyCheckFact = ReplyJudgingStarted | ReplyJudged | ReplySettled | ReplyDelivered

const replyCheckTypes: readonly string[] = [
  'reply-judging-started',
  'reply-judged',
  'reply-settled',
  'reply-delivered',
] satisfies readonly ReplyCheckFact['type'][]

export function isReplyCheckFact<Fact extends { readonly type: string }>(
  fact: Fact,
): fact is Extract<Fact, ReplyCheckFact> {
  return replyCheckTypes.includes(fact.type)
}

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

export interface SettledReply extends Omit<ReplySettled, 'type'> {
  readonly turn: number
  /** Undefined: it is not to be delivered, or is being delivered. */
  readonly delivery: Omit<ReplyDelivered, 'type'> | undefined
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
