/** What says that a run should be over: stagnation, the token budget. */
export { stagnationSettings, standardStagnation, type StagnationOptions } from './stagnation-settings.ts'
export { stagnation, stagnationLevel, stagnationShadow } from './stagnation.ts'
export { tokenBudgetSettings, type TokenBudgetOptions } from './token-budget-settings.ts'
export { classicBounds, tokenBudgetStep } from './token-budget-step.ts'
export { nudgeDue, tokenBudget, tokenBudgetShadow } from './token-budget.ts'
