/** What says that a run should be over: stagnation, the token budget. */
export {
  stagnationSettings,
  standardStagnation,
  stagnation,
  stagnationLevel,
  stagnationShadow,
  type StagnationOptions,
} from './stagnation.ts'
export { tokenBudgetSettings, type TokenBudgetOptions } from './token-budget-settings.ts'
export { classicBounds, tokenBudgetStep, nudgeDue, tokenBudget, tokenBudgetShadow } from './token-budget.ts'
