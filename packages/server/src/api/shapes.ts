import { z } from 'zod'
import { amendmentScopes } from '@donecheck/core/internal/events/gate'
import { amounts, typedName } from '@donecheck/core/internal/budgets'
import { ruleModes, completeWhenChoices, verifyWhenChoices } from '@donecheck/core/internal/base'
import { goalChange, subGoal } from '@donecheck/core/internal/goal'
import { runRowSchema } from '@donecheck/engine/internal/insight/insights'

export const shapeNames = z.registry<{ readonly id: string }>()

export function named<Shape extends z.ZodType>(id: string, shape: Shape): Shape {
  shapeNames.add(shape, { id })
  return shape
}

export const text = z.string()
const count = z.number().int().nonnegative()
const amount = z.number()
const epochMs = z.number().describe('milliseconds since the Unix epoch')

/** Ids are looked up and never parsed, so an unknown one simply matches no run. */
const runId = z.string().min(1).max(200)

export function wholeWithin(least: number, most: number) {
  return z.coerce.number<number>().int().min(least).max(most)
}

export const flag = z.enum(['true', 'false']).transform((word) => word === 'true')

export const sequence = wholeWithin(0, Number.MAX_SAFE_INTEGER)

/** As recorded; `@donecheck/core` defines every kind. */
const storedEvent = named(
  'StoredEvent',
  z.looseObject({ type: text, id: text, runId: text, sequence: count, timeMs: epochMs }),
)

const scope = z.enum(amendmentScopes)

const subject = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('call'),
    callId: text,
    tool: text,
    effect: text,
    summary: text,
    reason: text,
    details: text,
    amendment: z.object({ prefix: z.array(text) }).exactOptional(),
    scopes: z.object({ yes: z.array(scope), no: z.array(scope) }),
  }),
  z.object({ kind: z.literal('done'), check: text, question: text, details: text }),
])

const answer = z.object({
  approved: z.boolean(),
  by: text,
  reason: text,
  scope: scope.exactOptional(),
  answeredAtMs: epochMs,
})

export const question = named(
  'Question',
  z.object({
    id: text,
    runId: text,
    askedAtMs: epochMs,
    subject,
    answer: answer.nullable(),
    isWithdrawn: z.boolean(),
  }),
)

export const questionList = z.object({ questions: z.array(question) })

export const answerRequest = z.strictObject({
  approved: z.boolean(),
  scope: scope.exactOptional(),
  reason: z.string().max(10_000).exactOptional(),
})

export const eventPage = z.object({
  events: z.array(storedEvent),
  next: count.nullable().describe('`after` of the next page; null: there is nothing more now'),
})

export const verdictList = z.object({
  verdicts: z.array(
    z.object({
      sequence: count,
      timeMs: epochMs,
      verdict: z.looseObject({ verifier: text, status: text, reason: text }),
    }),
  ),
})

export const receipt = z.looseObject({
  _type: text,
  subject: z.array(z.looseObject({ name: text })),
  predicateType: text,
  predicate: z.looseObject({ runId: text, digest: text }),
})

export const treeChanges = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('compared'),
    diff: text.describe('unified; what looks like a secret is masked, and very long ones are cut'),
    unknown: z.array(text).describe('paths that differ and cannot be shown as text'),
  }),
  z.object({ kind: z.literal('not-compared'), reason: text }),
])

/** A ratio of cases with its 95% confidence interval. */
const rate = named(
  'Rate',
  z.object({
    part: count,
    whole: count,
    share: amount.nullable(),
    interval: z.object({ low: amount, high: amount }),
  }),
)
const counted = z.array(z.object({ name: text, count }))

const check = z.object({
  name: text,
  runs: count,
  failures: count,
  flakes: count,
  seconds: amount,
})

const figures = named(
  'Figures',
  z.looseObject({
    runs: count,
    ended: count,
    turns: count,
    modelCalls: count,
    toolCalls: count,
    outcomes: counted,
    reasons: counted,
    caps: counted,
    detectors: counted,
    verified: rate,
    firstTry: rate,
    falseDone: rate,
    roundsToGreen: z.object({ runs: count, median: count.nullable(), mean: amount.nullable() }),
    cost: z.object({ usd: amount, knownRuns: count, perVerifiedUsd: amount.nullable() }),
    tokens: z.object({ input: count, cachedInput: count, output: count, reasoning: count }),
    messages: z.object({ user: count, assistant: count, tool: count }),
    activeHours: amount,
    checks: z.object({ seconds: amount, costUsd: amount, flaky: rate, each: z.array(check) }),
    findings: z.array(z.looseObject({ name: text, runs: count, verified: rate })),
    tools: counted,
  }),
)

const groups = z.array(named('Group', z.object({ name: text, figures })))
const topRuns = z.array(named('TopRun', z.object({ runId: text, task: text, value: amount })))

export const insights = named(
  'Insights',
  z.object({
    total: figures.nullable(),
    by: z.object({ model: groups, agent: groups, project: groups, week: groups }),
    top: z.object({ tokens: topRuns }),
  }),
)

export const runItem = named(
  'RunItem',
  z.object({
    runId: text,
    task: text,
    startedAtMs: epochMs,
    updatedAtMs: epochMs,
    events: count,
    workFolder: text.nullable(),
    drive: text.nullable(),
    model: text.nullable(),
    agent: text.nullable(),
    outcome: text.nullable().describe('null: it has not stopped'),
    reason: text.nullable(),
    cap: text.nullable(),
    detector: text.nullable(),
    waiting: z
      .object({ for: z.enum(['provider', 'limit']), untilMs: epochMs })
      .nullable()
      .describe('for its provider, or until a usage limit is reset'),
    labels: z.array(text),
    imported: z.boolean(),
    turns: count,
    tokens: count,
    costUsd: amount.nullable().describe('null: of one call nobody knows the price'),
    activeMs: amount,
    failing: z
      .array(count)
      .describe('failed tests, or failed required checks where none are counted, after each verification'),
  }),
)
export type RunItem = z.output<typeof runItem>

export const runPage = z.object({ runs: z.array(runItem), next: text.nullable() })

const openCheck = z.object({ name: text, status: text, reason: text, evidence: z.array(text) })
const capUse = z.object({ cap: text, used: amount, limit: amount, words: text })

const explanation = named(
  'Explanation',
  z.object({
    runId: text,
    kind: z.enum(['run', 'verification', 'session']),
    task: text,
    by: text,
    end: z
      .object({
        outcome: text,
        reason: text,
        message: text,
        cap: text.exactOptional(),
        detector: text.exactOptional(),
        exitCode: count,
      })
      .nullable(),
    turns: count,
    missing: z.array(openCheck),
    openParts: z.array(text),
    passed: z.array(text),
    spent: z.object({
      durationMs: amount,
      tokens: amount.nullable(),
      isEstimated: z.boolean(),
      costUsd: amount.nullable(),
      checksCostUsd: amount,
      caps: z.array(capUse),
    }),
    next: z.array(z.object({ command: text, why: text })),
  }),
)

export const goalReport = named(
  'GoalReport',
  z.looseObject({
    runId: text,
    objective: text,
    subGoals: z.array(subGoal.extend({ status: text })),
    hasStopped: z.boolean(),
  }),
)

export const wholeRun = z.object({
  run: runItem,
  row: named('RunRow', runRowSchema),
  explanation,
  goal: goalReport,
})

/** A command-line argument, which ends at a NUL. */
function word(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[^\0]*$/, 'there is a NUL character in it')
}

/** May contain commands, run as the service's user: the role `run` allows that. */
export const startRequest = named(
  'StartRequest',
  z.strictObject({
    task: z.string().trim().min(1).max(200_000),
    workFolder: word(4096).exactOptional(),
    until: z.array(word(10_000)).max(50).exactOptional(),
    presets: z.array(z.enum(['tests', 'lint', 'typecheck', 'build'])).exactOptional(),
    agent: word(10_000).exactOptional(),
    model: word(500).exactOptional(),
    labels: z.array(word(200)).max(20).exactOptional(),
    maxTurns: z.number().int().positive().exactOptional(),
    maxModelCalls: z.number().int().positive().exactOptional(),
    maxToolCalls: z.number().int().positive().exactOptional(),
    maxTokens: z.number().int().positive().exactOptional(),
    maxCostUsd: z.number().positive().exactOptional(),
    timeoutMs: z.number().positive().exactOptional().describe('active time'),
    completeWhen: z.enum(completeWhenChoices).exactOptional(),
    verifyWhen: z.enum(verifyWhenChoices).exactOptional(),
    loopDetection: z.enum(ruleModes).exactOptional(),
    stagnation: z.enum(ruleModes).exactOptional(),
  }),
)
export type StartRequest = z.output<typeof startRequest>

/** Keys are the names after `--max-`; times are in seconds. */
const topUp = z.partialRecord(z.enum(amounts.map(typedName)), z.number().positive())

export const resumeRequest = z.strictObject({ topUp: topUp.exactOptional() })
export type TopUpRequest = z.output<typeof topUp>

export const cancelRequest = z.strictObject({ reason: z.string().max(1000).exactOptional() })
export const cancelAnswer = z.object({
  how: z
    .enum(['interrupted', 'paused', 'stopped'])
    .describe('its process was told; the goal is paused before the next turn; it had stopped before'),
})

export const startAnswer = z.object({ runId })

/** `goalId`: refused if the run has another goal by now. */
export const goalRequest = z.strictObject({ change: goalChange, goalId: text.exactOptional() })
