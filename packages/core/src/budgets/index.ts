/** What may be spent, and in what it is counted: caps, tokens, dollars, time. */
export { budgetOf, countOf, raiseCaps, sumOfBudgets, sumOfCounts, withBounds, type Budget } from './budget.ts'
export {
  amounts,
  bounds,
  capNames,
  capTable,
  capWords,
  everyAmount,
  everyCap,
  isWhole,
  nounOf,
  typedName,
} from './caps.ts'
export type { Amount, Bound, CapName, Caps } from './caps.ts'
export { costOf } from './cost.ts'
export { estimateTokens } from './estimate-tokens.ts'
export type { Consumption, PricesUsd, TokenUsage } from '../usage/index.ts'
