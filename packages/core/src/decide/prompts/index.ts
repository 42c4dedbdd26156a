/** What the program says to a drive, and how much of the conversation fits. */
export { newsFor, promptFor, fitConversation, type FittedConversation } from './fit.ts'
export { englishPrompts, type BudgetLeft, type GoalView, type Prompts } from './english.ts'
