export { converse, dropRounds, emptyConversation } from './conversation.ts'
export type { Conversation, Message, Round, ToolAnswer } from './conversation.ts'
export { callKey } from './evolve-activity.ts'
export { turnTokensOf } from './evolve-soft.ts'
export { evolve, findingKey, fold } from './evolve.ts'
export { editedPaths } from './activity/index.ts'
export {
  batchOf,
  hasPassed,
  isMidTurn,
  latestVerdicts,
  pendingCallOf,
  requiredChecks,
  traitsOf,
} from './readings.ts'
export { retryDelayMs, type Retrying } from './retrying.ts'
export {
  type JudgedReply,
  type SettledReply,
  newTracker,
  countNudge,
  type TokenBudgetTracker,
  type PendingCall,
  type Rule,
  type RunState,
} from './state.ts'
export { noConsumption, spend, spendSubRun, totalTokens, capRule, toolCapRule } from './spending.ts'
