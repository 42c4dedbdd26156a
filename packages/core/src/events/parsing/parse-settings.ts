/** Shapes of stored settings and sums. What older runs did not record yet has its value from that time as default. */
import { z } from 'zod'
import { capNames, everyAmount, everyCap, type Bound } from '../../budgets/index.ts'
import { completeWhenChoices, verifyWhenChoices } from '../../base/index.ts'
import { driveKinds, verifierRoles } from '../settings/index.ts'
import { outcomes } from '../transitions/index.ts'
import { replyCheckSettings } from './parse-replies.ts'
import { softSettings } from './parse-soft.ts'

const text = z.string()
const count = z.number().int().nonnegative()
const amount = z.number().nonnegative()
const bound = amount.nullable()
const laterBound = bound.default(null)
const counts = z.record(text, count)
const perTool = z.record(text, amount)

export const capName = z.enum(capNames)

export const outcome = z.enum(outcomes)

export const usage = z.object({
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count.exactOptional(),
  reasoningTokens: count.exactOptional(),
  estimated: z.boolean(),
})

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

export const consumption = z.object({
  iterations: count,
  modelCalls: count,
  toolCalls: count,
  callsPerTool: counts,
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count,
  reasoningTokens: count,
  unsortedInputTokens: count,
  unsortedOutputTokens: count,
  tokensEstimated: z.boolean(),
  callsWithoutUsage: count,
  costUsd: amount.nullable(),
  activeMs: amount,
  workingMs: amount,
  refunds: count,
})

export const verifierDescription = z.object({
  name: text,
  required: z.boolean(),
  weight: z.number(),
  deterministic: z.boolean(),
  reads: z.enum(['workspace', 'answer']),
  // Runs recorded before there were other roles.
  role: z.enum(verifierRoles).default('check'),
  families: z.array(text).exactOptional(),
})

export const settings = z.object({
  caps,
  completeWhen: z.enum(completeWhenChoices),
  verifyWhen: z.enum(verifyWhenChoices),
  verifyAtCap: z.boolean(),
  maxModelAttempts: count,
  // Runs recorded before there were refunds, before time was kept for the last check, and before there was a final summary.
  maxRefunds: count.default(0),
  reservesLastCheck: z.boolean().default(false),
  finalSummary: z.boolean().default(false),
  finalSummaryTokens: count.default(1024),
  policy: text,
  // Runs recorded before there was a soft tier.
  soft: softSettings.nullable().default(null),
  // Runs recorded before replies were verified.
  replyCheck: replyCheckSettings.nullable().default(null),
  verifiers: z.array(verifierDescription),
})

export const drive = z.object({
  kind: z.enum(driveKinds),
  name: text,
  sideEffects: z.boolean(),
  reportsUsage: z.boolean(),
  prices: z
    .object({
      inputPerMillionTokens: z.number(),
      cachedInputPerMillionTokens: z.number().exactOptional(),
      outputPerMillionTokens: z.number(),
    })
    .nullable(),
  maxOutputTokens: count,
  contextWindowTokens: count,
  ownsTools: z.literal(true).exactOptional(),
  reportsCost: z.literal(true).exactOptional(),
})
