import { z } from 'zod'
import { detectorNames } from '@donecheck/core/settings'
import { breakerCountChoices, repeatCountChoices, ruleModes } from '@donecheck/core/base'

const mode = z.enum(ruleModes)
const whole = z.number().int()
const traits = z.strictObject({
  poll: z.boolean().exactOptional(),
  readOnly: z.boolean().exactOptional(),
  mutating: z.boolean().exactOptional(),
  idempotent: z.boolean().exactOptional(),
  volatileArguments: z.array(z.string()).exactOptional(),
  volatileResults: z.array(z.string()).exactOptional(),
})

const loopDetection = z.strictObject({
  mode: mode.exactOptional(),
  detectors: z.partialRecord(z.enum(detectorNames), mode).exactOptional(),
  historySize: whole.exactOptional(),
  warningThreshold: whole.exactOptional(),
  criticalThreshold: whole.exactOptional(),
  repeatCounts: z.enum(repeatCountChoices).exactOptional(),
  globalCircuitBreakerThreshold: whole.exactOptional(),
  circuitBreakerCounts: z.enum(breakerCountChoices).exactOptional(),
  warmUpCalls: whole.exactOptional(),
  cycleRepeats: whole.exactOptional(),
  sameFailureThreshold: whole.exactOptional(),
  failedCheckRepeatThreshold: whole.exactOptional(),
  repeatedReplyThreshold: whole.exactOptional(),
  vetoesUntilEnd: whole.exactOptional(),
  tools: z.record(z.string(), traits).exactOptional(),
})

const stagnation = z.strictObject({
  mode: mode.exactOptional(),
  patienceVerifications: whole.exactOptional(),
  changesPerClaim: whole.exactOptional(),
  epsilonScore: z.number().exactOptional(),
})

const tokenBudget = z.strictObject({
  budgetTokens: whole,
  completionShareOfBudget: z.number().exactOptional(),
  diminishingTokens: z.number().exactOptional(),
  minContinuations: whole.nonnegative().exactOptional(),
  window: z.enum(['classic', 'three-rounds']).exactOptional(),
  mode: mode.exactOptional(),
})

/** The soft tier, in the configuration: a mode, or the options of the library. Numbers are compared with each other there. */
export const softFields = {
  loopDetection: z.union([mode, loopDetection]),
  stagnation: z.union([mode, stagnation]),
  tokenBudget: z.union([whole.positive(), tokenBudget]),
  finalSummary: z.boolean(),
}
