export type { Prompts } from './prompts.ts'
export { englishPrompts } from './english.ts'
