/** Hard caps: a fuse, not a steering wheel. */
import type { Rule } from '../rule.ts'
import { costCap } from './cost.ts'
import { countedCap } from './counted.ts'
import { callsPerToolCap } from './calls-per-tool.ts'
import { blockedStopsCap } from './blocked-stops.ts'
import { wallClockCap, workingTimeCap } from './time-caps.ts'

export const hardCaps: readonly Rule[] = [
  countedCap('iterations'),
  countedCap('modelCalls'),
  countedCap('toolCalls'),
  callsPerToolCap,
  countedCap('tokens'),
  countedCap('uncachedInputTokens'),
  countedCap('cachedInputTokens'),
  countedCap('outputTokens'),
  countedCap('reasoningTokens'),
  costCap,
  wallClockCap,
  workingTimeCap,
  blockedStopsCap,
]
export { expectedPromptTokens } from './next-step.ts'
export { affordableOutputTokens, affordableFinalSummaryTokens } from './reserve.ts'
export { deadlineOf, workDeadlineOf } from './time.ts'
export { firstCalls } from './calls-per-tool.ts'
export { capsLeft, carve } from './carve.ts'
export { liftsCap } from './lifts.ts'
export { usedOf } from './amounts.ts'
