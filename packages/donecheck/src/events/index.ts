/** What happened: facts, the state folded from them, and the door through which stored facts come in. */

// facts
export type {
  DriveFailure,
  EpochMs,
  EventHeader,
  Fact,
  FactType,
  FailureKind,
  Finding,
  FinishKind,
  JsonValue,
  RunEvent,
  RunStarted,
  TokenUsage,
  Told,
  ToolCall,
  ToolEffect,
  VerificationTrigger,
} from './event.ts'
export type {
  Caps,
  CompleteWhen,
  DriveDescription,
  PricesUsd,
  RunSettings,
  VerifierDescription,
  VerifierRole,
  VerifyWhen,
} from './settings.ts'
export type { GateKind } from '../gate-kinds.ts'
export { hookEffects, hookPoints, refusalLabels } from './gate-facts.ts'
export type {
  AmendmentScope,
  GateDecided,
  HookEffect,
  HookPoint,
  HookRan,
  RefusalLabel,
  RuleMatch,
  SandboxDescription,
  SandboxDriver,
} from './gate-facts.ts'
export type { WrapUpCalled, WrapUpReplied, WrapUpState } from './wrap-up-facts.ts'
export { planTold } from './plan-facts.ts'
export type { AgentPlanTold, PlanEntry } from './plan-facts.ts'
export type { BudgetAdded, ParentRun, SubRunEnded, SubRunStarted } from './sub-run-facts.ts'
export type {
  CapName,
  ContinueReason,
  ContinueTransition,
  LastCheck,
  Outcome,
  StopCause,
  StopReason,
  StopTransition,
  SummarySource,
  Transition,
  VerdictLine,
} from './transition.ts'
export type {
  AuthorityEvidence,
  CommandEvidence,
  Evidence,
  FileEvidence,
  FindingEvidence,
  GuardResponse,
  MeasureEvidence,
  NoteEvidence,
  OutputExcerpt,
  TestCase,
  TestCounts,
  TestsEvidence,
  Verdict,
  VerdictQualifier,
  VerdictStatus,
  VerdictTree,
  Waiver,
} from './verdict.ts'

// folds
export type {
  CheckState,
  CheckTime,
  LivePhase,
  PendingCall,
  Phase,
  RunState,
  SubRunsState,
  TurnTally,
} from './state.ts'
export type { Consumption } from './spent.ts'
export { evolve, findingKey, fold } from './evolve.ts'
export { noConsumption, spend, spendSubRun, totalTokens } from './consumption.ts'
export { capRule, toolCapRule } from './sub-runs.ts'
export { amounts, budgetOf, capOfAmount, countOf, raisedCaps, sumOfBudgets } from './budget.ts'
export type { Amount, Budget } from './budget.ts'
export { estimateTokens } from './tokens.ts'
export { converse, emptyConversation } from './conversation.ts'
export type { Conversation, Round, ToolAnswer } from './conversation.ts'

// what the soft tier looks at
export { turnTokensOf } from './evolve-soft.ts'
export { newTracker, sentOn } from './token-budget-tracker.ts'
export type { TokenBudgetState, TokenBudgetTracker } from './token-budget-tracker.ts'
export { detectorNames } from './soft-settings.ts'
export type {
  DetectorName,
  LoopDetectionSettings,
  RuleMode,
  SoftSettings,
  StagnationSettings,
  TokenBudgetSettings,
  ToolTraits,
} from './soft-settings.ts'
export {
  isOfList,
  keptCalls,
  keptReplies,
  keptTrees,
  keptVerifications,
  noActivity,
  vetoOfCall,
  withCall,
  withNoOpEdit,
  withProgress,
  withReply,
  withTree,
  withVerification,
} from './activity/activity.ts'
export type { Activity } from './activity/activity.ts'
export type { CallFact, CallFate, CallRecord } from './activity/call-record.ts'
export type { ReplyFact, ReplyRecord } from './activity/reply-record.ts'
export type { VerificationRecord } from './activity/verification-record.ts'
export { replyRecord, similarity } from './activity/read-reply.ts'
export { asksNothing, readCall } from './activity/read-call.ts'
export { readOutcome } from './activity/read-outcome.ts'
export { identityOf, writeCanonical } from './activity/canonical-form.ts'
export type { CanonicalLimits } from './activity/canonical-form.ts'
export { saidBy } from './activity/said.ts'
export { listPattern } from './activity/list-pattern.ts'
export { looks } from './activity/looks.ts'
export { pauses, waits } from './activity/waits.ts'
export { batchOf } from './batch.ts'
export { callKey } from './evolve-activity.ts'
export { traitsOf } from './tool-traits.ts'

// streams
export type { AppendResult, ExpectedSequence, ReadResult, RunSummary } from './stream.ts'
export { parseEvent, problemOfFact } from './parse.ts'
export type { ParsedEvent } from './parse.ts'
export { currentSchemaVersion } from './upcast.ts'
export { canonicalJson } from '../canonical-json.ts'
export { maskFact } from './mask-fact.ts'
export { maskText, maskValue, type SecretValues } from '../secrets/index.ts'
