/** The settings of the soft tier, as they stand in a record. */
import { z } from 'zod'
import { breakerCountChoices, repeatCountChoices, ruleModes } from '../../base/index.ts'
import { detectorNames } from '../settings/index.ts'

const mode = z.enum(ruleModes)
const count = z.number().int().positive()
const traits = z.object({
  poll: z.boolean().exactOptional(),
  readOnly: z.boolean().exactOptional(),
  mutating: z.boolean().exactOptional(),
  idempotent: z.boolean().exactOptional(),
  volatileArguments: z.array(z.string()).exactOptional(),
  volatileResults: z.array(z.string()).exactOptional(),
})

const loopDetection = z.object({
  mode,
  detectors: z.partialRecord(z.enum(detectorNames), mode),
  historyCalls: count,
  warningCalls: count,
  criticalCalls: count,
  // Records from before there was a choice.
  repeatCounts: z.enum(repeatCountChoices).default('same-result'),
  breakerCalls: count,
  breakerCounts: z.enum(breakerCountChoices),
  unknownToolCalls: count,
  warmUpCalls: z.number().int().nonnegative(),
  cycleRepeats: count,
  sameFailures: count,
  failedCheckRepeats: count,
  repeatedReplies: count,
  vetoesUntilEnd: z.number().int().nonnegative(),
  tools: z.record(z.string(), traits),
})

const tokenBudget = z.object({
  mode,
  budgetTokens: z.number().positive(),
  completionShare: z.number(),
  diminishingTokens: z.number(),
  minContinuations: z.number().int().nonnegative(),
  window: z.enum(['classic', 'three-rounds']),
})

export const softSettings = z.object({
  loopDetection,
  stagnation: z.object({
    mode,
    patienceVerifications: count,
    changesPerClaim: count,
    epsilonScore: z.number().nonnegative(),
  }),
  tokenBudget: tokenBudget.nullable(),
  contradictions: mode.exactOptional(),
})
