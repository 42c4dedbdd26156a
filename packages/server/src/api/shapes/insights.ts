/** Sums over many runs, as `@donecheck/engine/insights` makes them. */
import { z } from 'zod'
import { amount, count, named, text } from './common.ts'

/** A share of cases, with the interval in which the true one lies with 95 % confidence. */
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
    activity: z.looseObject({ byWeekday: z.array(count), byHour: z.array(count) }),
    top: z.object({ activeSeconds: topRuns, messages: topRuns, tokens: topRuns, toolCalls: topRuns }),
  }),
)
