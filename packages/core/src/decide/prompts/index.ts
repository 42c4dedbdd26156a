/** What the program says to a drive, and how much of the conversation fits. */
export { newsFor, promptFor } from './agent-turn.ts'
export { fitConversation, type FittedConversation } from './fit.ts'
export { englishPrompts } from './english.ts'
export type { BudgetLeft, GoalView, Prompts } from './prompts.ts'
