import { z } from 'zod'
import type { Recorded } from '../../base/index.ts'
import { stopCause } from '../transitions/index.ts'
import { verdict } from '../verdicts/index.ts'
import { fact } from './turn-facts.ts'
import { goalChange, subGoal, waitEnd } from '../../goal/index.ts'
import { verifierDescription } from '../settings/index.ts'

const text = z.string()

export type VerificationTrigger = Recorded<typeof verificationTrigger>
const verificationTrigger = z.enum(['baseline', 'change', 'claim', 'turn', 'cap', 'held-out'])

const findingBody = z.object({
  rule: text,
  message: text,
  numbers: z.record(text, z.number()),
  /** Findings of one rule and level are reported once per key; without a key once per run. */
  key: text.exactOptional(),
  /** Sent to the agent: what was noticed and what to try instead. */
  advice: text.exactOptional(),
  basedOn: z.array(z.number().int().nonnegative()),
})

/** What a rule noticed, and the end that it asks for, if any. */
export type Finding = Recorded<typeof finding>
const finding = z.union([
  findingBody.extend({ level: z.enum(['note', 'warn']) }),
  findingBody.extend({ level: z.literal('stop'), stop: stopCause }),
])

export const replyEnding = z.enum([
  'passed',
  /** No attempt is left; the best one is delivered. */
  'exhausted',
  'undecided',
  /** The run ended before a reply passed. */
  'ended-early',
  /** It makes no claim to verify. */
  'not-triggered',
  /** Nothing in it can be judged, or the user already has it. */
  'skipped',
])

export type ReplySkip = Recorded<typeof replySkip>
export const replySkip = z.enum([
  'pending-tool-calls',
  'sent-by-tool',
  'streamed',
  'empty-reply',
  'error-reply',
])

/** `unknown`: the process died during delivery; it is not repeated. */
export const deliveryStatus = z.enum(['delivered', 'failed', 'unknown'])

const attempt = z.number().int().positive()

/** A reply is judged before delivery, sent back if it falls short, and delivered once. */
const replyCheckFacts = [
  /** Appended before the judge runs (I4). */
  fact('reply-judging-started', { attempt, maxAttempts: attempt }),
  fact('reply-judged', { attempt, verdict }),
  /** Appended before delivery, which must not happen twice (I4). */
  fact('reply-settled', {
    ending: replyEnding,
    /** Only with `skipped`. */
    skip: replySkip.exactOptional(),
    attempt,
    text,
    message: text,
    delivers: z.boolean(),
  }),
  fact('reply-delivered', { status: deliveryStatus, problem: text.exactOptional() }),
] as const

export type ReplyCheckFact = Recorded<(typeof replyCheckFacts)[number]>

export const checkFacts = [
  fact('workspace-observed', { fingerprint: text }),
  fact('verification-started', { trigger: verificationTrigger, verifiers: z.array(text) }),
  fact('verdict-given', { verdict }),
  fact('finding-noted', { finding }),
  ...replyCheckFacts,
] as const

const request = z.number().int().positive()

export const goalFacts = [
  fact('goal-set', {
    task: text,
    subGoals: z.array(subGoal).exactOptional(),
    rules: text.exactOptional(),
  }),
  fact('goal-changed', {
    /** The goal at the time of the change. */
    goalId: text,
    by: text,
    change: goalChange,
    verifiers: z.array(verifierDescription).exactOptional(),
    /** The request in the store that asked for it, if any. */
    request: request.exactOptional(),
  }),
  fact('goal-change-refused', {
    by: text,
    kind: text,
    reason: text,
    request: request.exactOptional(),
  }),
  /** The current goal, sent to the agent before its next reply. */
  fact('agent-steered', { goalId: text, text }),
  /** While a goal waits, no turn starts and no token is used. */
  fact('goal-wait-ended', { goalId: text, how: waitEnd }),
] as const

export type GoalFact = Recorded<(typeof goalFacts)[number]>
