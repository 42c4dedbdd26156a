/** Facts of a turn: the drive is asked, its calls are allowed, run or refused, and the turn ends. */
import { z } from 'zod'
import { type JsonValue, sandboxDrivers, type Recorded } from '../../base/index.ts'
import { gateKinds, hookEffects, hookPoints, refusalLabels, amendmentScopes } from '../gate/index.ts'
import { tokenUsage } from '../../usage/index.ts'
import { transition } from '../transitions/index.ts'

/** One kind of fact: a past event, noun first. */
export function fact<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape })
}

/** The value itself, not a copy: no key of it is lost, not even `__proto__`. */
export const json = z.custom<JsonValue>(isJson, 'not JSON')

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'object' && Object.values(value).every(isJson)
}

const text = z.string()
const count = z.number().int().nonnegative()
const gateKind = z.enum(gateKinds)

const refusalLabel = z.enum(refusalLabels)

/** One rule that matched a part of a command. */
export type RuleMatch = Recorded<typeof ruleMatch>
const ruleMatch = z.object({
  /** Such as `prefix_rule git push` or `built-in: recursive removal`. */
  rule: text,
  decision: gateKind,
  /** Where the rule stands, such as `user rules default.rules:12` or `built-in`. */
  source: text,
  /** The words that it matched. */
  words: z.array(text),
  /** Where they stand in the command line, in UTF-16 units; null: in no literal place of it. */
  span: z.tuple([count, count]).nullable(),
  justification: text.exactOptional(),
})

/** Told where there is something to tell: a rule matched, or the call was not simply allowed. */
const gateDecided = fact('gate-decided', {
  callId: text,
  decision: gateKind,
  reason: text,
  label: refusalLabel.exactOptional(),
  matches: z.array(ruleMatch),
  /** The policy is only watched: what it would have decided. */
  shadow: gateKind.exactOptional(),
})

/** One hook ran on one occasion; `durationMs` of the event says how long. */
const hookRan = fact('hook-ran', {
  hook: text,
  point: z.enum(hookPoints),
  /** 1 for the first hook of this occasion. */
  order: z.number().int().positive(),
  effect: z.enum(hookEffects),
  callId: text.exactOptional(),
  /** What it decided and why, or how it failed. */
  note: text.exactOptional(),
  /** For the drive: before its reply where the point is `before_turn` or `run_started`, else with the next feedback. */
  told: text.exactOptional(),
})

export type SandboxDescription = Recorded<typeof sandboxDescription>
export const sandboxDescription = z.object({
  driver: z.enum(sandboxDrivers),
  /** False: nothing is confined; said loudly at the start. */
  isConfined: z.boolean(),
  network: z.enum(['off', 'on']),
  /** One sentence, for people: what it confines, or why nothing is. */
  summary: text,
})

/** Null: nobody knows, or nothing was spent. */
const spent = { usage: tokenUsage.nullable(), costUsd: z.number().nullable() }

export type ToolCall = Recorded<typeof toolCall>
const toolCall = z.object({
  callId: text,
  tool: text,
  args: json,
  /** SHA-256 over the canonical JSON of the arguments as they are recorded, secrets masked, hex. */
  argsDigest: text,
  /** Equal for calls that mean the same: marks of time and volatile arguments left out; absent if the arguments are malformed. */
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
