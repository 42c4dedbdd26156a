export { fitConversation } from './fit.ts'
export type { FittedConversation } from './fit.ts'
