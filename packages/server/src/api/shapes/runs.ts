/** A run as lists and pages show it. */
import { z } from 'zod'
import { amounts, typedName } from '@donecheck/core/budgets'
import { ruleModes, completeWhenChoices, verifyWhenChoices } from '@donecheck/core/base'
import { goalChange, subGoal } from '@donecheck/core/goal'
import { runRowSchema } from '@donecheck/engine/insights'
import { amount, count, epochMs, runId, named, text } from './common.ts'

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

export const explanation = named(
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

/** Becomes a word of a command line, which ends at a NUL. */
function word(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[^\0]*$/, 'there is a NUL character in it')
}

/** Commands and programs among it are run as whoever runs the service: that is what the role `run` allows. */
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

/** Under the names of the flags `--max-…`; times in seconds, as they are typed. */
export const topUp = z.partialRecord(z.enum(amounts.map(typedName)), z.number().positive())

export const resumeRequest = z.strictObject({ topUp: topUp.exactOptional() })
export type TopUpRequest = z.output<typeof topUp>

export const cancelRequest = z.strictObject({ reason: z.string().max(1000).exactOptional() })
export const cancelAnswer = z.object({
  how: z
    .enum(['interrupted', 'paused', 'stopped'])
    .describe('its process was told; the goal is paused before the next turn; it had stopped before'),
})

export const startAnswer = z.object({ runId })

/** `goalId`: refused where the run has another goal by now. */
export const goalRequest = z.strictObject({ change: goalChange, goalId: text.exactOptional() })
