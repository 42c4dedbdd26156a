export { stagnation, stagnationShadow } from './stagnation.ts'
export { stagnationSettings, standardStagnation } from './stagnation-settings.ts'
export type { StagnationChoice, StagnationOptions } from './stagnation-settings.ts'
export { nudgeDue, tokenBudget, tokenBudgetShadow } from './token-budget.ts'
export { classicBounds, tokenBudgetStep } from './token-budget-step.ts'
export type {
  TokenBudgetBounds,
  TokenBudgetCompletion,
  TokenBudgetDecision,
  TokenBudgetInput,
} from './token-budget-step.ts'
export { tokenBudgetSettings } from './token-budget-settings.ts'
export type { TokenBudgetChoice, TokenBudgetOptions } from './token-budget-settings.ts'
