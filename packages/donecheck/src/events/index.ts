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
export type {
  CapName,
  ContinueReason,
  ContinueTransition,
  LastCheck,
  Outcome,
  StopCause,
  StopReason,
  StopTransition,
  Transition,
  VerdictLine,
} from './transition.ts'
export type {
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
  Waiver,
} from './verdict.ts'

// folds
export type { CheckState, Consumption, LivePhase, PendingCall, Phase, RunState, TurnTally } from './state.ts'
export { evolve, findingKey, fold } from './evolve.ts'
export { totalTokens } from './consumption.ts'
export { estimateTokens } from './tokens.ts'
export { converse, emptyConversation } from './conversation.ts'
export type { Conversation, Round, ToolAnswer } from './conversation.ts'

// streams
export type { AppendResult, ExpectedSequence, ReadResult, RunSummary } from './stream.ts'
export { parseEvent, problemOfFact } from './parse.ts'
export type { ParsedEvent } from './parse.ts'
export { currentSchemaVersion } from './upcast.ts'
export { canonicalJson } from './canonical-json.ts'
export { maskFact } from './mask-fact.ts'
export { maskText } from './mask.ts'
export type { SecretValues } from './mask.ts'
