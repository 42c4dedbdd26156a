import { z } from 'zod'
import { type JsonValue, sandboxDrivers, type Recorded } from '../../base/index.ts'
import { gateKinds, hookEffects, hookPoints, refusalLabels, amendmentScopes } from '../gate/index.ts'
import { tokenUsage } from '../../usage/index.ts'
import { transition } from '../transitions/index.ts'

/** Defines one kind of fact: a past event, noun first. */
export function fact<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape })
}

/** The value itself, not a copy, so that no key is lost, not even `__proto__`. */
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

export type RuleMatch = Recorded<typeof ruleMatch>
const ruleMatch = z.object({
  /** Such as `prefix_rule git push` or `built-in: recursive removal`. */
  rule: text,
  decision: gateKind,
  /** Such as `user rules default.rules:12` or `built-in`. */
  source: text,
  words: z.array(text),
  /** The position in the command line, in UTF-16 units; null if it is not literally there. */
  span: z.tuple([count, count]).nullable(),
  justification: text.exactOptional(),
})

/** Appended if a rule matched or the call was not simply allowed. */
const gateDecided = fact('gate-decided', {
  callId: text,
  decision: gateKind,
  reason: text,
  label: refusalLabel.exactOptional(),
  matches: z.array(ruleMatch),
  /** What a policy in shadow mode would have decided. */
  shadow: gateKind.exactOptional(),
})

/** The event's `durationMs` is the duration of the hook. */
const hookRan = fact('hook-ran', {
  hook: text,
  point: z.enum(hookPoints),
  order: z.number().int().positive(),
  effect: z.enum(hookEffects),
  callId: text.exactOptional(),
  /** What it decided and why, or how it failed. */
  note: text.exactOptional(),
  /** Sent to the agent: before its reply at `before_turn` and `run_started`, else with the next feedback. */
  told: text.exactOptional(),
})

export type SandboxDescription = Recorded<typeof sandboxDescription>
export const sandboxDescription = z.object({
  driver: z.enum(sandboxDrivers),
  /** False if nothing is confined; shown prominently at the start. */
  isConfined: z.boolean(),
  network: z.enum(['off', 'on']),
  /** One sentence: what it confines, or why nothing is. */
  summary: text,
})

/** Null if unknown, or if nothing was spent. */
const spent = { usage: tokenUsage.nullable(), costUsd: z.number().nullable() }

export type ToolCall = Recorded<typeof toolCall>
const toolCall = z.object({
  callId: text,
  tool: text,
  args: json,
  /** Hex SHA-256 of the canonical JSON of the recorded arguments, secrets masked. */
  argsDigest: text,
  /** Equal for calls that mean the same, volatile arguments left out; absent if malformed. */
  identity: text.exactOptional(),
  /** Why the arguments could not be parsed; then `args` is the raw text. */
  malformed: text.exactOptional(),
})

export type FailureKind = Recorded<typeof failureKind>
const failureKind = z.enum([
  'rate-limited',
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

export type AgentFailure = Recorded<typeof agentFailure>
const agentFailure = z.object({
  kind: failureKind,
  message: text,
  retryable: z.boolean(),
  /** The wait that the provider asks for. */
  retryAfterMs: z.number().exactOptional(),
  /** When the account's limit resets, in milliseconds since the Unix epoch. */
  resetsAtMs: z.number().exactOptional(),
})

export type FinishKind = Recorded<typeof finishKind>
const finishKind = z.enum(['stop', 'tool-calls', 'length', 'other'])

/** `read` can be repeated freely; `write` and `execute` cannot. */
export type ToolEffect = Recorded<typeof toolEffect>
const toolEffect = z.enum(['read', 'write', 'execute'])

export const turnFacts = [
  /** Appended before the call (I4): an announced call counts whatever becomes of it (I9). */
  fact('model-called', {
    turn: count,
    /** 1 for the first attempt of a turn. */
    attempt: count,
  }),
  fact('model-replied', {
    text,
    toolCalls: z.array(toolCall),
    finish: finishKind,
    ...spent,
    /** An external agent crashed, hung or said nothing. It counts as one turn and is reported to the next. */
    problem: text.exactOptional(),
    /** The user has seen parts of its text while it arrived. */
    streamed: z.literal(true).exactOptional(),
  }),
  fact('model-failed', {
    failure: agentFailure,
    ...spent,
    notice: text.exactOptional(),
  }),
  /** Appended before the wait, so that a resume waits until the same time. */
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
    scope: z.enum(amendmentScopes).exactOptional(),
  }),
  /** Appended before the tool runs (I4). `effect`: whether running it twice is safe. */
  fact('tool-called', { callId: text, tool: text, effect: toolEffect }),
  fact('tool-returned', {
    callId: text,
    /** `unknown`: the process died before the result was recorded. */
    status: z.enum(['ok', 'error', 'interrupted', 'unknown']),
    output: text,
    /** Equal for results that say the same, volatile parts left out; absent if unknown. */
    outcome: text.exactOptional(),
    /** A sketch of the result's lines, to detect near-equal results; absent if unknown. */
    lines: text.exactOptional(),
    /** Equal for failures that say the same; absent if it did not fail or is unknown. */
    failure: text.exactOptional(),
    /** False if a write left everything as it was. */
    changed: z.boolean().exactOptional(),
  }),
  fact('tool-refused', {
    callId: text,
    by: z.enum(['gate', 'approver', 'cap', 'schema', 'record', 'detector', 'hook']),
    reason: text,
    label: refusalLabel.exactOptional(),
  }),
  fact('turn-ended', {
    turn: count,
    transition,
    feedback: text.exactOptional(),
  }),
] as const
