/** Caps and amounts as they are recorded. What older runs did not record yet has its value from that time as default. */
import { z } from 'zod'
import { everyAmount, everyCap, type Bound } from '../../budgets/index.ts'

const amount = z.number().nonnegative()
const bound = amount.nullable()
const laterBound = bound.default(null)
const perTool = z.record(z.string(), amount)

/** Caps of the first runs. Those that came later were off before. */
const firstCaps: readonly Bound[] = [
  'iterations',
  'modelCalls',
  'toolCalls',
  'tokens',
  'costUsd',
  'wallClockMs',
]

export const caps = z.object({
  ...everyCap('field', (name) => (firstCaps.includes(name) ? bound : laterBound)),
  maxCallsPerTool: perTool.default({}),
})

export const budget = z.object({
  ...everyAmount(() => amount.exactOptional()),
  callsPerTool: perTool.exactOptional(),
})
