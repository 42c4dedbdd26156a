/** What happened: the facts of a run, and the door through which stored facts come in. */
export type { EpochMs, EventHeader, Fact, FactOf, FactType, NewEvent, RunEvent } from './event.ts'
export { planReported } from './facts/plan-reported.ts'
export {
  deliveryStatus,
  replyEnding,
  replySkip,
  type Finding,
  type ReplyCheckFact,
  type ReplySkip,
  type VerificationTrigger,
} from './facts/check-facts.ts'
export type { RuleMatch, SandboxDescription } from './facts/gate-facts.ts'
export type { GoalFact } from './facts/goal-facts.ts'
export { isGoalFact, isReplyCheckFact } from './facts/groups.ts'
export type { JsonValue } from '../base/index.ts'
export { planEntryState, type ParentRun, type PlanEntry } from './facts/run-facts.ts'
export type { DriveFailure, FailureKind, FinishKind, ToolCall, ToolEffect } from './facts/turn-facts.ts'
export { maskFact } from './parsing/mask-fact.ts'
export { parseEvent, problemOfFact, type ParsedEvent } from './parsing/parse.ts'
export { currentSchemaVersion } from './parsing/upcast.ts'
