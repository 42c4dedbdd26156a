import type { Rule } from '../../state/index.ts'
import { costCap } from './cost.ts'
import { countedCap } from './counted.ts'
import { callsPerToolCap } from './calls-per-tool.ts'
import { partBudgets } from './part-budget.ts'
import { blockedStopsCap } from './blocked-stops.ts'
import { wallClockCap, workingTimeCap } from './time/time-caps.ts'

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
  partBudgets,
]
