export type { Prompts } from './prompts.ts'
export { englishPrompts } from './english.ts'
export { newsFor, promptFor } from './agent-turn.ts'
