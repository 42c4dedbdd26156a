/** Sums over many runs, as `@donecheck/engine/insights` makes them. */
import { z } from 'zod'
import { amount, count, named, text } from './common.ts'

const rate = z.object({ part: count, whole: count, share: amount.nullable(), interval: z.unknown() })
const counted = z.array(z.object({ name: text, count }))

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
    cost: z.object({ usd: amount, knownRuns: count, perVerifiedUsd: amount.nullable() }),
    tokens: z.object({ input: count, cachedInput: count, output: count, reasoning: count }),
    activeHours: amount,
    tools: counted,
  }),
)

const groups = z.array(z.object({ name: text, figures }))
const topRuns = z.array(z.object({ runId: text, task: text, value: amount }))

export const insights = named(
  'Insights',
  z.object({
    total: figures.nullable(),
    by: z.object({ model: groups, agent: groups, project: groups, week: groups }),
    activity: z.looseObject({ byWeekday: z.array(count), byHour: z.array(count) }),
    top: z.object({ activeSeconds: topRuns, messages: topRuns, tokens: topRuns, toolCalls: topRuns }),
  }),
)
