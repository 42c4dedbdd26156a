/** Facts of a turn: the drive is asked, its calls are allowed, run or refused, and the turn ends. */
import { z } from 'zod'
import type { Recorded } from '../../base/index.ts'
import { tokenUsage } from '../../usage/index.ts'
import { amendmentScopes } from '../gate/index.ts'
import { gateDecided, hookRan, refusalLabel } from './gate-facts.ts'
import { transition } from '../transitions/index.ts'
import { fact, json } from './fact.ts'

const text = z.string()
const count = z.number().int().nonnegative()

/** Null: nobody knows, or nothing was spent. */
const spent = { usage: tokenUsage.nullable(), costUsd: z.number().nullable() }

export type ToolCall = Recorded<typeof toolCall>
const toolCall = z.object({
  callId: text,
  tool: text,
  args: json,
  /** SHA-256 over the canonical JSON of the arguments as they are recorded, secrets masked, hex. */
  argsDigest: text,
  /** Equal for calls that mean the same: marks of time and volatile arguments left out; absent in older records. */
  identity: text.exactOptional(),
  /** Why the arguments could not be read; then `args` is the raw text. */
  malformed: text.exactOptional(),
})

export type FailureKind = Recorded<typeof failureKind>
const failureKind = z.enum([
  'rate-limited',
  /** The account has used up what it may use for now. */
  'usage-limited',
  'server-error',
  'network',
  'cut-off',
  'malformed',
  'refused',
  'configuration',
  'timeout',
  'interrupted',
])

export type DriveFailure = Recorded<typeof driveFailure>
const driveFailure = z.object({
  kind: failureKind,
  message: text,
  retryable: z.boolean(),
  /** How long the provider asks to wait. */
  retryAfterMs: z.number().exactOptional(),
  /** When the limit of the account resets, in milliseconds since the Unix epoch. */
  resetsAtMs: z.number().exactOptional(),
})

export type FinishKind = Recorded<typeof finishKind>
const finishKind = z.enum(['stop', 'tool-calls', 'length', 'other'])

/** `read` may be repeated freely; `write` and `execute` may not. */
export type ToolEffect = Recorded<typeof toolEffect>
const toolEffect = z.enum(['read', 'write', 'execute'])

export const turnFacts = [
  /** Announced before the drive is asked (I4): an announced call counts, whatever becomes of it (I9). */
  fact('model-called', {
    turn: count,
    /** 1 for the first try of a turn. */
    attempt: count,
  }),
  fact('model-replied', {
    text,
    toolCalls: z.array(toolCall),
    finish: finishKind,
    ...spent,
    /** An external agent that crashed, hung or said nothing: one turn, told to the next. */
    problem: text.exactOptional(),
    /** Pieces of its text have reached the user while they came in. */
    streamed: z.literal(true).exactOptional(),
  }),
  fact('model-failed', {
    failure: driveFailure,
    ...spent,
    /** Told to the drive before its next reply. */
    notice: text.exactOptional(),
  }),
  /** Recorded before the run waits for its provider: whoever resumes the run waits until the same time. */
  fact('wait-started', {
    for: z.enum(['provider', 'limit']),
    /** Milliseconds since the Unix epoch. */
    untilMs: z.number(),
    reason: text,
  }),
  fact('wait-ended', {}),
  gateDecided,
  hookRan,
  fact('approval-requested', { callId: text, question: text }),
  fact('approval-given', {
    callId: text,
    approved: z.boolean(),
    by: text,
    reason: text,
    /** Absent: for this call. */
    scope: z.enum(amendmentScopes).exactOptional(),
  }),
  /** Announced before the tool runs (I4). `effect`: what may happen when it is run twice. */
  fact('tool-called', { callId: text, tool: text, effect: toolEffect }),
  fact('tool-returned', {
    callId: text,
    /** `unknown`: announced, and the process died before its result was recorded. */
    status: z.enum(['ok', 'error', 'interrupted', 'unknown']),
    output: text,
    /** Equal for results that say the same, volatile parts left out; absent: unknown. */
    outcome: text.exactOptional(),
    /** A sketch of the lines of the result, for telling whether two say nearly the same; absent: unknown. */
    lines: text.exactOptional(),
    /** Equal for failures that say the same; absent: it did not fail, or nobody knows. */
    failure: text.exactOptional(),
    /** False: it was to change something, and everything is as it was. */
    changed: z.boolean().exactOptional(),
    /** Ids of parts of the goal that its tool says it has advanced. */
    advances: z.array(text).exactOptional(),
  }),
  /** The call was never run. */
  fact('tool-refused', {
    callId: text,
    by: z.enum(['gate', 'approver', 'cap', 'schema', 'record', 'detector', 'hook']),
    reason: text,
    label: refusalLabel.exactOptional(),
  }),
  fact('turn-ended', {
    turn: count,
    transition,
    /** The next message to the drive; absent when there is nothing to say. */
    feedback: text.exactOptional(),
  }),
] as const
