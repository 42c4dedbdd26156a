/** Facts of the verification of replies: a reply is judged before it is delivered, sent back where it falls short, and delivered once. */
import type { Verdict } from '../verdicts/index.ts'

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
