/** Hard caps: a fuse, not a steering wheel. */
export { leftUnder, spendingOf } from './amounts.ts'
export { firstCalls } from './calls-per-tool.ts'
export { capsLeft, carve } from './carve.ts'
export { hardCaps } from './hard-caps.ts'
export { liftsCap } from './lifts.ts'
export { expectedPromptTokens } from './next-step.ts'
export { partOverBudget } from './part-budget.ts'
export { affordableFinalSummaryTokens, affordableOutputTokens, deadlineOf } from './reserve.ts'
