/** Hard caps: a fuse, not a steering wheel. */
import type { Rule } from '../rule.ts'
import { costCap } from './cost.ts'
import { iterationsCap } from './iterations.ts'
import { modelCallsCap } from './model-calls.ts'
import { tokensCap } from './tokens.ts'
import { toolCallsCap } from './tool-calls.ts'
import { wallClockCap } from './wall-clock.ts'

export const hardCaps: readonly Rule[] = [
  iterationsCap,
  modelCallsCap,
  toolCallsCap,
  tokensCap,
  costCap,
  wallClockCap,
]
export { affordableOutputTokens, expectedPromptTokens, smallestReplyTokens } from './reserve.ts'
export { deadlineOf } from './wall-clock.ts'
