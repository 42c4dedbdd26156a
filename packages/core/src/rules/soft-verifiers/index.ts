/** What says that a run should be over: stagnation, the token budget. */
export { stagnation, stagnationLevel } from './stagnation.ts'
export { nudgeDue, problemOfTokenBudget, tokenBudget, tokenBudgetStep } from './token-budget.ts'
