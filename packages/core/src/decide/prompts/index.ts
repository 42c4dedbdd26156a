export { newsFor, promptFor, fitConversation, type FittedConversation } from './fit.ts'
export { englishPrompts, type BudgetLeft, type GoalView, type Prompts } from './english.ts'
