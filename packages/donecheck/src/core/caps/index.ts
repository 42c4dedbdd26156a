/** Hard caps: a fuse, not a steering wheel. */
import type { Rule } from '../rule.ts'
import { costCap } from './cost.ts'
import { iterationsCap } from './iterations.ts'
import { modelCallsCap } from './model-calls.ts'
import { tokensCap } from './tokens.ts'
import { toolCallsCap } from './tool-calls.ts'
import { callsPerToolCap } from './calls-per-tool.ts'
import { cachedInputCap, uncachedInputCap } from './input-tokens.ts'
import { outputTokensCap, reasoningTokensCap } from './output-tokens.ts'
import { sendBacksCap } from './send-backs.ts'
import { wallClockCap } from './wall-clock.ts'
import { workingTimeCap } from './working-time.ts'

export const hardCaps: readonly Rule[] = [
  iterationsCap,
  modelCallsCap,
  toolCallsCap,
  callsPerToolCap,
  tokensCap,
  uncachedInputCap,
  cachedInputCap,
  outputTokensCap,
  reasoningTokensCap,
  costCap,
  wallClockCap,
  workingTimeCap,
  sendBacksCap,
]
export {
  affordableOutputTokens,
  affordableWrapUpTokens,
  expectedPromptTokens,
  smallestReplyTokens,
} from './reserve.ts'
export { deadlineOf, workDeadlineOf } from './time.ts'
export { firstCalls } from './calls-per-tool.ts'
export { capsLeft, carve } from './carve.ts'
export type { Carve } from './carve.ts'
export { liftsCap } from './lifts.ts'
export { topUpNames } from './top-up-names.ts'
export { usedOf } from './used.ts'
