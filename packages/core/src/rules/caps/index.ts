export { leftUnder, spendingOf, expectedPromptTokens } from './amounts.ts'
export { firstCalls, hardCaps, liftsCap } from './hard-caps.ts'
export {
  capsLeft,
  allocate,
  affordableFinalSummaryTokens,
  affordableOutputTokens,
  deadlineOf,
} from './reserve.ts'
export { partOverBudget } from './part-budget.ts'
