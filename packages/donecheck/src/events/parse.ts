/** unknown → event, once, at the door of the store (the only place where stored data is trusted less than code). */
import { z } from 'zod'
import type { JsonValue, RunEvent } from './event.ts'
import { upcast } from './upcast.ts'
import { budget, capName, caps, consumption, drive, outcome, settings, usage } from './parse-settings.ts'
import { mostPlanEntries, planEntryStates } from './plan-facts.ts'
import { gateKinds } from '../gate-kinds.ts'
import { hookEffects, hookPoints, refusalLabels } from './gate-facts.ts'
import { verdict, verdictStatus } from './parse-verdict.ts'

export type ParsedEvent =
  | { readonly kind: 'event'; readonly event: RunEvent }
  | { readonly kind: 'invalid'; readonly problem: string }

const text = z.string()
const count = z.number().int().nonnegative()
/** The value itself, not a copy: no key of it is lost, not even `__proto__`. */
const json = z.custom<JsonValue>(isJson, 'not JSON')

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'object' && Object.values(value).every(isJson)
}

const verdictLine = z.object({ verifier: text, status: verdictStatus })

const continueTransition = z.object({
  kind: z.literal('continue'),
  reason: z.enum([
    'tool_calls',
    'verifier_feedback',
    'nudge_budget_left',
    'max_output_recovery',
    'approval_given',
    'goal_changed',
    'steering',
  ]),
  findings: z.array(text),
  verdicts: z.array(verdictLine),
})

const stopTransition = z.object({
  kind: z.literal('stop'),
  reason: z.enum([
    'task_complete',
    'verifier_failed_unrecoverable',
    'hard_cap',
    'diminishing',
    'loop_detected',
    'stagnated',
    'model_ended',
    'blocked',
    'awaiting_approval',
    'permission_denied',
    'user_interrupt',
    'error',
  ]),
  outcome,
  message: text,
  cap: capName.exactOptional(),
  atCap: capName.exactOptional(),
  detector: text.exactOptional(),
  misuse: z.literal(true).exactOptional(),
  lastCheck: z.enum(['run', 'switched-off', 'nothing-to-check']).exactOptional(),
  summary: text.exactOptional(),
  summaryBy: z.enum(['drive', 'withheld-answer', 'program']).exactOptional(),
  findings: z.array(text),
  verdicts: z.array(verdictLine),
})

const failure = z.object({
  kind: z.enum([
    'rate-limited',
    'server-error',
    'network',
    'cut-off',
    'malformed',
    'refused',
    'configuration',
    'timeout',
    'interrupted',
  ]),
  message: text,
  retryable: z.boolean(),
  retryAfterMs: z.number().exactOptional(),
  neverSent: z.literal(true).exactOptional(),
})

const findingBody = {
  rule: text,
  message: text,
  numbers: z.record(text, z.number()),
  key: text.exactOptional(),
  advice: text.exactOptional(),
  restsOn: z.array(count),
}

const stopCause = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('hard_cap'), cap: capName }),
  z.object({ reason: z.literal('loop_detected'), detector: text }),
  z.object({ reason: z.enum(['stagnated', 'diminishing', 'permission_denied', 'blocked']) }),
])

const finding = z.union([
  z.object({ ...findingBody, level: z.enum(['note', 'warn']) }),
  z.object({ ...findingBody, level: z.literal('stop'), stop: stopCause }),
])

const gateKind = z.enum(gateKinds)

const ruleMatch = z.object({
  rule: text,
  decision: gateKind,
  source: text,
  words: z.array(text),
  span: z.tuple([count, count]).nullable(),
  justification: text.exactOptional(),
})

const sandbox = z.object({
  driver: z.enum(['none', 'bubblewrap', 'sandbox-runtime']),
  isConfined: z.boolean(),
  network: z.enum(['off', 'on']),
  summary: text,
})

const header = {
  schemaVersion: z.literal(1),
  id: text,
  runId: text,
  sequence: z.number().int().positive(),
  timeMs: z.number(),
  causeId: text.exactOptional(),
  durationMs: z.number().exactOptional(),
}

function fact<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ ...header, type: z.literal(type), ...shape })
}

const schema: z.ZodType<RunEvent> = z.discriminatedUnion('type', [
  fact('run-started', {
    donecheckVersion: text,
    workFolder: text.nullable(),
    drive,
    settings,
    recipe: json,
    sandbox: sandbox.exactOptional(),
    parent: z.object({ runId: text, callId: text }).exactOptional(),
  }),
  fact('goal-set', { task: text }),
  fact('run-resumed', { holder: text, drive: drive.exactOptional() }),
  fact('agent-session-opened', { sessionId: text }),
  fact('agent-plan-told', {
    entries: z.array(z.object({ text, state: z.enum(planEntryStates) })).max(mostPlanEntries),
    leftOut: count.exactOptional(),
  }),
  fact('interrupt-requested', { by: text }),
  fact('run-stopped', { transition: stopTransition }),
  fact('model-called', { turn: count, attempt: count }),
  fact('model-replied', {
    text,
    toolCalls: z.array(
      z.object({
        callId: text,
        tool: text,
        args: json,
        argsDigest: text,
        identity: text.exactOptional(),
        malformed: text.exactOptional(),
      }),
    ),
    finish: z.enum(['stop', 'tool-calls', 'length', 'other']),
    usage: usage.nullable(),
    costUsd: z.number().nullable(),
    problem: text.exactOptional(),
  }),
  fact('model-failed', {
    failure,
    usage: usage.nullable(),
    costUsd: z.number().nullable(),
    notice: text.exactOptional(),
  }),
  fact('gate-decided', {
    callId: text,
    decision: gateKind,
    reason: text,
    label: z.enum(refusalLabels).exactOptional(),
    matches: z.array(ruleMatch),
    shadow: gateKind.exactOptional(),
  }),
  fact('hook-ran', {
    hook: text,
    point: z.enum(hookPoints),
    order: z.number().int().positive(),
    effect: z.enum(hookEffects),
    callId: text.exactOptional(),
    note: text.exactOptional(),
    told: text.exactOptional(),
  }),
  fact('approval-requested', { callId: text, question: text }),
  fact('approval-given', {
    callId: text,
    approved: z.boolean(),
    by: text,
    reason: text,
    scope: z.enum(['once', 'session', 'rule']).exactOptional(),
  }),
  fact('tool-called', { callId: text, tool: text, effect: z.enum(['read', 'write', 'execute']) }),
  fact('tool-returned', {
    callId: text,
    status: z.enum(['ok', 'error', 'interrupted', 'unknown']),
    output: text,
    outcome: text.exactOptional(),
    lines: text.exactOptional(),
    failure: text.exactOptional(),
    changed: z.boolean().exactOptional(),
  }),
  fact('tool-refused', {
    callId: text,
    by: z.enum(['gate', 'approver', 'cap', 'schema', 'record', 'detector', 'hook']),
    reason: text,
    label: z.enum(refusalLabels).exactOptional(),
    unknownTool: z.literal(true).exactOptional(),
  }),
  fact('workspace-observed', { fingerprint: text }),
  fact('verification-started', {
    trigger: z.enum(['baseline', 'change', 'claim', 'turn', 'cap', 'held-out']),
    verifiers: z.array(text),
  }),
  fact('verdict-given', { verdict }),
  fact('finding-noted', { finding }),
  fact('turn-ended', {
    turn: count,
    transition: z.discriminatedUnion('kind', [continueTransition, stopTransition]),
    feedback: text.exactOptional(),
  }),
  fact('wrap-up-called', { end: stopTransition, notice: text }),
  fact('wrap-up-replied', {
    text,
    droppedCalls: count,
    usage: usage.nullable(),
    costUsd: z.number().nullable(),
    problem: text.exactOptional(),
  }),
  fact('sub-run-started', { childRunId: text, callId: text, carved: caps }),
  fact('sub-run-ended', {
    childRunId: text,
    spent: consumption.nullable(),
    outcome: outcome.nullable(),
    message: text,
  }),
  fact('budget-added', { by: text, added: budget }),
])

/** Lifts an old event, then checks every field. Unknown fields of a known event are dropped. */
export function parseEvent(stored: unknown): ParsedEvent {
  const lifted = upcast(stored)
  if (lifted.kind === 'too-new') return { kind: 'invalid', problem: lifted.problem }
  return checked(lifted.stored)
}

/** What an event of today must be like, as it stands. */
function checked(stored: unknown): ParsedEvent {
  const result = parsed(stored)
  if (result instanceof Error) return { kind: 'invalid', problem: `event: ${result.message}` }
  if (result.success) return { kind: 'event', event: result.data }
  const [first] = result.error.issues
  const place = first?.path.join('.') ?? ''
  return {
    kind: 'invalid',
    problem: `${place === '' ? 'event' : place}: ${first?.message ?? 'not an event'}`,
  }
}

/**
 * What is wrong with a fact that somebody tells, before it is recorded: what a port answers is not trusted to have the
 * shape that it promises. Undefined: it can be written and read again.
 */
export function problemOfFact(fact: object): string | undefined {
  const header = { schemaVersion: 1, id: 'none', runId: 'none', sequence: 1, timeMs: 0 }
  const result = checked({ ...header, ...fact })
  return result.kind === 'invalid' ? result.problem : undefined
}

/** An error where the value is nested too deeply for the stack, or made so that looking at it throws. */
function parsed(stored: unknown) {
  try {
    return schema.safeParse(stored)
  } catch (error) {
    return error instanceof RangeError
      ? new RangeError('nested too deeply')
      : new TypeError('cannot be looked at')
  }
}
