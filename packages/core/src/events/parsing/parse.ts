/** unknown → event, once, at the door of the store (the only place where stored data is trusted less than code). */
import { z } from 'zod'
import {
  failureKinds,
  finishKinds,
  refusers,
  toolEffects,
  toolStatuses,
  verificationTriggers,
  type JsonValue,
  type RunEvent,
} from '../event.ts'
import { continueReasons, lastChecks, stopReasons, summarySources } from '../transitions/index.ts'
import { upcast } from './upcast.ts'
import { budget, capName, caps, consumption, drive, outcome, settings, usage } from './parse-settings.ts'
import { claimProblemKinds, maxClaimProblems } from '../facts/claim-facts.ts'
import { memoryRecalled } from './parse-memory.ts'
import { maxPlanEntries, planEntryStates } from '../facts/plan-facts.ts'
import { gateKinds, amendmentScopes, hookEffects, hookPoints, refusalLabels } from '../gate/index.ts'
import { sandboxDrivers } from '../../base/index.ts'
import { replyShapes } from './parse-replies.ts'
import { checksSealed } from './parse-sealed.ts'
import { goalShapes, subGoal } from './parse-goal.ts'
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
  reason: z.enum(continueReasons),
  findings: z.array(text),
  verdicts: z.array(verdictLine),
})

const stopTransition = z.object({
  kind: z.literal('stop'),
  reason: z.enum(stopReasons),
  outcome,
  message: text,
  cap: capName.exactOptional(),
  atCap: capName.exactOptional(),
  detector: text.exactOptional(),
  misuse: z.literal(true).exactOptional(),
  lastCheck: z.enum(lastChecks).exactOptional(),
  summary: text.exactOptional(),
  summaryBy: z.enum(summarySources).exactOptional(),
  findings: z.array(text),
  verdicts: z.array(verdictLine),
})

const failure = z.object({
  kind: z.enum(failureKinds),
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
  driver: z.enum(sandboxDrivers),
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
    labels: z.array(text).exactOptional(),
  }),
  fact('goal-set', { task: text, subGoals: z.array(subGoal).exactOptional(), rules: text.exactOptional() }),
  fact('run-resumed', { holder: text, drive: drive.exactOptional() }),
  fact('agent-session-opened', { sessionId: text }),
  fact('agent-plan-reported', {
    entries: z.array(z.object({ text, state: z.enum(planEntryStates) })).max(maxPlanEntries),
    leftOut: count.exactOptional(),
  }),
  fact('memory-recalled', memoryRecalled),
  fact('claim-examined', {
    problems: z
      .array(z.object({ kind: z.enum(claimProblemKinds), path: text, detail: text }))
      .max(maxClaimProblems),
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
    finish: z.enum(finishKinds),
    usage: usage.nullable(),
    costUsd: z.number().nullable(),
    problem: text.exactOptional(),
    streamed: z.literal(true).exactOptional(),
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
    scope: z.enum(amendmentScopes).exactOptional(),
  }),
  fact('tool-called', { callId: text, tool: text, effect: z.enum(toolEffects) }),
  fact('tool-returned', {
    callId: text,
    status: z.enum(toolStatuses),
    output: text,
    outcome: text.exactOptional(),
    lines: text.exactOptional(),
    failure: text.exactOptional(),
    changed: z.boolean().exactOptional(),
    advances: z.array(text).exactOptional(),
  }),
  fact('tool-refused', {
    callId: text,
    by: z.enum(refusers),
    reason: text,
    label: z.enum(refusalLabels).exactOptional(),
    unknownTool: z.literal(true).exactOptional(),
  }),
  fact('workspace-observed', { fingerprint: text }),
  fact('verification-started', {
    trigger: z.enum(verificationTriggers),
    verifiers: z.array(text),
  }),
  fact('verdict-given', { verdict }),
  fact('finding-noted', { finding }),
  fact('turn-ended', {
    turn: count,
    transition: z.discriminatedUnion('kind', [continueTransition, stopTransition]),
    feedback: text.exactOptional(),
  }),
  fact('final-summary-called', { end: stopTransition, notice: text }),
  fact('final-summary-replied', {
    text,
    droppedCalls: count,
    usage: usage.nullable(),
    costUsd: z.number().nullable(),
    problem: text.exactOptional(),
  }),
  fact('sub-run-started', { childRunId: text, callId: text, carved: caps, subGoalId: text.exactOptional() }),
  fact('sub-run-ended', {
    childRunId: text,
    spent: consumption.nullable(),
    outcome: outcome.nullable(),
    message: text,
  }),
  fact('budget-added', { by: text, added: budget }),
  fact('reply-judging-started', replyShapes.judgingStarted),
  fact('reply-judged', replyShapes.judged),
  fact('reply-settled', replyShapes.settled),
  fact('reply-delivered', replyShapes.delivered),
  fact('checks-sealed', checksSealed),
  fact('goal-changed', goalShapes.changed),
  fact('goal-change-refused', goalShapes.changeRefused),
  fact('drive-steered', goalShapes.driveSteered),
  fact('goal-wait-ended', goalShapes.waitEnded),
])

/** Lifts an old event, then checks every field. Unknown fields of a known event are dropped. */
export function parseEvent(stored: unknown): ParsedEvent {
  const lifted = upcast(stored)
  if (lifted.kind === 'too-new') return { kind: 'invalid', problem: lifted.problem }
  return checkEvent(lifted.stored)
}

/** What an event of today must be like, as it stands. */
function checkEvent(stored: unknown): ParsedEvent {
  const result = parseStored(stored)
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
  const result = checkEvent({ ...header, ...fact })
  return result.kind === 'invalid' ? result.problem : undefined
}

/** An error where the value is nested too deeply for the stack, or made so that looking at it throws. */
function parseStored(stored: unknown) {
  try {
    return schema.safeParse(stored)
  } catch (error) {
    return error instanceof RangeError
      ? new RangeError('nested too deeply')
      : new TypeError('cannot be looked at')
  }
}
