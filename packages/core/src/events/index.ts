/** What happened: the facts of a run, and the door through which stored facts come in. */
export type {
  DriveFailure,
  EpochMs,
  EventHeader,
  Fact,
  FactOf,
  FactType,
  FailureKind,
  Finding,
  FinishKind,
  JsonValue,
  NewEvent,
  RunEvent,
  ToolCall,
  ToolEffect,
  VerificationTrigger,
} from './event.ts'
export { claimProblemKinds, contradictionRule, maxClaimProblems } from './facts/claim-facts.ts'
export type { ClaimProblem } from './facts/claim-facts.ts'
export { isGoalFact } from './facts/goal-facts.ts'
export type { GoalFact } from './facts/goal-facts.ts'
export { goalChangeSchema } from './parsing/parse-goal.ts'
export { planEntryStates, planReported } from './facts/plan-facts.ts'
export type { PlanEntry } from './facts/plan-facts.ts'
export { deliveryStatuses, isReplyCheckFact, replyEndings, replySkips } from './facts/reply-facts.ts'
export type { ReplyCheckFact, ReplyDelivered, ReplySkip } from './facts/reply-facts.ts'
export { sealedCheckKinds } from './facts/sealed-facts.ts'
export type { ParentRun } from './facts/sub-run-facts.ts'
export { maskFact } from './parsing/mask-fact.ts'
export { judgeEvidence } from './parsing/parse-verdict.ts'
export { parseEvent, problemOfFact } from './parsing/parse.ts'
export type { ParsedEvent } from './parsing/parse.ts'
export { currentSchemaVersion } from './parsing/upcast.ts'
