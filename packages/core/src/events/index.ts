export type { EpochMs, EventHeader, Fact, FactOf, FactType, NewEvent, RunEvent } from './event.ts'
export { currentSchemaVersion, isGoalFact, isReplyCheckFact } from './facts/groups.ts'
export {
  deliveryStatus,
  replyEnding,
  replySkip,
  type Finding,
  type ReplyCheckFact,
  type ReplySkip,
  type VerificationTrigger,
  type GoalFact,
} from './facts/check-facts.ts'
export type {
  RuleMatch,
  SandboxDescription,
  AgentFailure,
  FailureKind,
  FinishKind,
  ToolCall,
  ToolEffect,
} from './facts/turn-facts.ts'
export type { JsonValue } from '../base/index.ts'
export { planEntryState, planReported, type ParentRun, type PlanEntry } from './facts/run-facts.ts'
export { maskFact } from './parsing/mask-fact.ts'
export { parseEvent, problemOfFact, type ParsedEvent } from './parsing/parse.ts'
