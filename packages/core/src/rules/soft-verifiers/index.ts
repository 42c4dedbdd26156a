/** What says that a run should be over: stagnation, the token budget. */
export { stagnation, stagnationLevel, stagnationShadow } from './stagnation.ts'
export {
  classicBounds,
  nudgeDue,
  problemOfTokenBudget,
  tokenBudget,
  tokenBudgetShadow,
  tokenBudgetStep,
} from './token-budget.ts'
