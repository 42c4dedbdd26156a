export { stagnation, stagnationLevel } from './stagnation.ts'
export { nudgeDue, problemOfTokenBudget, tokenBudget, tokenBudgetStep } from './token-budget.ts'
