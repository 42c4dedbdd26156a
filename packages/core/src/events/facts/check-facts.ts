/** Facts of what was looked at (the tree, verdicts, findings, replies) and of a goal: set, changed, told. */
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
  /** Findings of one rule and level with different keys are told one by one; without a key once in a run. */
  key: text.exactOptional(),
  /** For the drive: what was noticed, and what to try instead. */
  advice: text.exactOptional(),
  /** Sequence numbers of the events that it rests on. */
  restsOn: z.array(z.number().int().nonnegative()),
})

/** What a rule noticed. One that asks for an end says which. */
export type Finding = Recorded<typeof finding>
const finding = z.union([
  findingBody.extend({ level: z.enum(['note', 'warn']) }),
  findingBody.extend({ level: z.literal('stop'), stop: stopCause }),
])

/** What becomes of a reply, and why. */
export const replyEnding = z.enum([
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
])

/** Why a reply is not judged, in the order in which they are asked. */
export type ReplySkip = Recorded<typeof replySkip>
export const replySkip = z.enum([
  'pending-tool-calls',
  'sent-by-tool',
  'streamed',
  'empty-reply',
  'error-reply',
])

/** `unknown`: the process died while it was handed on. It is not handed on again. */
export const deliveryStatus = z.enum(['delivered', 'failed', 'unknown'])

const attempt = z.number().int().positive()

/** A reply is judged before it is delivered, sent back where it falls short, and delivered once. */
const replyCheckFacts = [
  /** Announced before the judge is asked (I4). */
  fact('reply-judging-started', { attempt, maxAttempts: attempt }),
  /** Passed, failed, or undecided. */
  fact('reply-judged', { attempt, verdict }),
  /** Recorded before the reply is handed on: what must not happen twice is announced (I4). */
  fact('reply-settled', {
    ending: replyEnding,
    /** Of `skipped` alone. */
    skip: replySkip.exactOptional(),
    /** Whose text it is. */
    attempt,
    /** Empty: there is nothing to deliver. */
    text,
    /** One sentence for a person. */
    message: text,
    /** It is handed to whoever takes replies. */
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
    /** Absent: the goal has no parts yet. */
    subGoals: z.array(subGoal).exactOptional(),
    /** Constraints and the like, at the end of the task. Absent: none are told apart. */
    rules: text.exactOptional(),
  }),
  fact('goal-changed', {
    /** The goal that it was when it was changed. */
    goalId: text,
    by: text,
    change: goalChange,
    /** Of the checks that came with it. Absent: none did. */
    verifiers: z.array(verifierDescription).exactOptional(),
    /** Which request of the store asked for it; absent: none. */
    request: request.exactOptional(),
  }),
  fact('goal-change-refused', {
    by: text,
    /** What was asked for, in one word. */
    kind: text,
    /** One sentence for who asked. */
    reason: text,
    request: request.exactOptional(),
  }),
  /** The drive is told what is wanted now, before its next reply. */
  fact('drive-steered', { goalId: text, text }),
  /** Announces nothing: while a goal waits, no turn begins and no token is used. */
  fact('goal-wait-ended', { goalId: text, how: waitEnd }),
] as const

export type GoalFact = Recorded<(typeof goalFacts)[number]>
