/** Shapes of stored settings and sums. What older runs did not record yet has its value from that time as default. */
import { z } from 'zod'
import { softSettings } from './parse-soft.ts'

const text = z.string()
const count = z.number().int().nonnegative()
const amount = z.number().nonnegative()
const bound = amount.nullable()
const laterBound = bound.default(null)
const counts = z.record(text, count)

export const capName = z.enum([
  'iterations',
  'model_calls',
  'tool_calls',
  'tokens',
  'uncached_input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost',
  'wall_clock',
  'working_time',
  'send_backs',
])

export const outcome = z.enum([
  'verified',
  'failed',
  'exhausted',
  'unverified',
  'blocked',
  'interrupted',
  'error',
])

export const usage = z.object({
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count.exactOptional(),
  reasoningTokens: count.exactOptional(),
  estimated: z.boolean(),
})

export const caps = z.object({
  maxIterations: bound,
  maxModelCalls: bound,
  maxToolCalls: bound,
  maxCallsPerTool: z.record(text, amount).default({}),
  maxTokens: bound,
  maxUncachedInputTokens: laterBound,
  maxCachedInputTokens: laterBound,
  maxTotalOutputTokens: laterBound,
  maxReasoningTokens: laterBound,
  maxCostUsd: bound,
  maxWallClockMs: bound,
  maxWorkingMs: laterBound,
  maxSendBacks: laterBound,
})

export const budget = z.object({
  iterations: amount.exactOptional(),
  modelCalls: amount.exactOptional(),
  toolCalls: amount.exactOptional(),
  callsPerTool: z.record(text, amount).exactOptional(),
  tokens: amount.exactOptional(),
  uncachedInputTokens: amount.exactOptional(),
  cachedInputTokens: amount.exactOptional(),
  outputTokens: amount.exactOptional(),
  reasoningTokens: amount.exactOptional(),
  costUsd: amount.exactOptional(),
  wallClockMs: amount.exactOptional(),
  workingMs: amount.exactOptional(),
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

const verifierDescription = z.object({
  name: text,
  required: z.boolean(),
  weight: z.number(),
  deterministic: z.boolean(),
  reads: z.enum(['workspace', 'answer']),
  // Runs recorded before there were other roles.
  role: z.enum(['check', 'held-out', 'probe', 'guard']).default('check'),
})

export const settings = z.object({
  caps,
  completeWhen: z.enum(['checks', 'checks-and-claim']),
  verifyWhen: z.enum(['on-change-or-claim', 'every-turn', 'on-change', 'on-claim']),
  verifyAtCap: z.boolean(),
  maxModelAttempts: count,
  // Runs recorded before there were refunds, before time was kept for the last check, and before there was a wrap-up.
  maxRefunds: count.default(0),
  reservesLastCheck: z.boolean().default(false),
  wrapUp: z.boolean().default(false),
  wrapUpTokens: count.default(1024),
  policy: text,
  // Runs recorded before there was a soft tier.
  soft: softSettings.nullable().default(null),
  verifiers: z.array(verifierDescription),
})

export const drive = z.object({
  kind: z.enum(['scripted', 'model', 'command', 'agent', 'custom']),
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
