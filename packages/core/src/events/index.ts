/** What happened: facts, the state folded from them, and the door through which stored facts come in. */

// facts
export type {
  DriveFailure,
  EpochMs,
  Fact,
  FactType,
  FailureKind,
  Finding,
  FinishKind,
  JsonValue,
  RunEvent,
  RunStarted,
  NewEvent,
  ToolCall,
  ToolEffect,
  VerificationTrigger,
} from './event.ts'
export type {
  DriveDescription,
  PricesUsd,
  RunSettings,
  VerifierDescription,
  VerifierRole,
} from './settings.ts'
export type { TokenUsage } from './token-usage.ts'
export { hookEffects, hookPoints } from './gate-facts.ts'
export { lastChecks, outcomes, stopReasons } from './transition.ts'
export { judgeEvidence } from './parse-verdict.ts'
export {
  guardResponses,
  judgeCategories,
  verdictQualifiers,
  verdictStatuses,
  verdictTrees,
} from './verdict.ts'
export { verifierRoles } from './settings.ts'
export type {
  AmendmentScope,
  GateDecided,
  HookEffect,
  HookPoint,
  HookRan,
  RefusalLabel,
  RuleMatch,
  SandboxDescription,
} from './gate-facts.ts'
export { isReplyCheckFact } from './reply-facts.ts'
export type {
  JudgedReply,
  ReplyCheckFact,
  ReplyCheckSettings,
  ReplySettled,
  ReplySkip,
  SettledReply,
} from './reply-facts.ts'
export type { FinalSummaryReplied } from './final-summary-facts.ts'
export { contradictionRule, maxClaimProblems } from './claim-facts.ts'
export type { ClaimProblem } from './claim-facts.ts'
export { deedsOf, lastEditOf } from './work-record/index.ts'
export { planReported } from './plan-facts.ts'
export type { AgentPlanReported, PlanEntry } from './plan-facts.ts'
export { sealedCheckKinds } from './sealed-facts.ts'
export type { ChecksSealed } from './sealed-facts.ts'
export type { BudgetAdded, ParentRun, SubRunEnded, SubRunStarted } from './sub-run-facts.ts'
export type {
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
  JudgeEvidence,
  JudgeQuote,
  GuardResponse,
  MeasureEvidence,
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
export type { PendingCall, RunState } from './state.ts'
export type { Consumption } from './spent.ts'
export { evolve, findingKey, fold } from './evolve.ts'
export { noConsumption, spend, spendSubRun, totalTokens } from './consumption.ts'
export { capRule, toolCapRule } from './sub-runs.ts'
export { budgetOf, countOf, sumOfBudgets } from './budget.ts'
export type { Budget } from './budget.ts'
export { estimateTokens } from './tokens.ts'
export { converse, emptyConversation } from './conversation.ts'
export type { Conversation, Round, ToolAnswer } from './conversation.ts'

// what the soft tier looks at
export { turnTokensOf } from './evolve-soft.ts'
export { newTracker, sentOn } from './token-budget-tracker.ts'
export type { TokenBudgetTracker } from './token-budget-tracker.ts'
export { detectorNames } from './soft-settings.ts'
export type {
  DetectorName,
  LoopDetectionSettings,
  SoftSettings,
  StagnationSettings,
  TokenBudgetSettings,
  ToolTraits,
} from './soft-settings.ts'
export { batchOf } from './batch.ts'
export { callKey } from './evolve-activity.ts'
export { traitsOf } from './tool-traits.ts'

// streams
export type { AppendResult, ExpectedSequence, ReadResult, RunSummary } from './stream.ts'
export { parseEvent, problemOfFact } from './parse.ts'
export type { ParsedEvent } from './parse.ts'
export { currentSchemaVersion } from './upcast.ts'
export { maskFact } from './mask-fact.ts'
