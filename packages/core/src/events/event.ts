/**
 * Everything that can ever have happened in a run. Each event is a past fact, noun first.
 * Nothing here is derived: what can be computed from other events is computed by `evolve`.
 */
import type { GoalFact } from './facts/goal-facts.ts'
import type { DriveDescription, RunSettings } from './settings/index.ts'
import type { AmendmentScope, GateDecided, HookRan, RefusalLabel, SandboxDescription } from './gate/index.ts'
import type { AgentPlanReported, AgentSessionOpened } from './facts/plan-facts.ts'
import type { ChecksSealed } from './facts/sealed-facts.ts'
import type { BudgetAdded, ParentRun, SubRunEnded, SubRunStarted } from './facts/sub-run-facts.ts'
import type { ReplyCheckFact } from './facts/reply-facts.ts'
import type { MemoryRecalled } from './facts/memory-facts.ts'
import type { StopCause, StopTransition, Transition } from './transitions/index.ts'
import type { Verdict } from './verdicts/index.ts'
import type { ClaimExamined } from './facts/claim-facts.ts'
import type { TokenUsage } from '../budgets/index.ts'
import type { FinalSummaryCalled, FinalSummaryReplied } from './facts/final-summary-facts.ts'

/** Milliseconds since the Unix epoch. */
export type EpochMs = number

/** Stamped by the recorder, never by the teller of the fact. */
export interface EventHeader {
  readonly schemaVersion: 1
  readonly id: string
  readonly runId: string
  /** 1 for the first event of a run, without gaps. */
  readonly sequence: number
  readonly timeMs: EpochMs
  /** Id of the event that this one follows from. */
  readonly causeId?: string
  /** How long the thing took that this event ends. */
  readonly durationMs?: number
}

// --- values inside facts -------------------------------------------------------------------------

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

export interface ToolCall {
  readonly callId: string
  readonly tool: string
  readonly args: JsonValue
  /** SHA-256 over the canonical JSON of the arguments as they are recorded, secrets masked, hex. */
  readonly argsDigest: string
  /** Equal for calls that mean the same: marks of time and volatile arguments left out; absent in older records. */
  readonly identity?: string
  /** Why the arguments could not be read; then `args` is the raw text. */
  readonly malformed?: string
}

export const failureKinds = [
  'rate-limited',
  'server-error',
  'network',
  'cut-off',
  'malformed',
  'refused',
  'configuration',
  'timeout',
  'interrupted',
] as const
export type FailureKind = (typeof failureKinds)[number]

export interface DriveFailure {
  readonly kind: FailureKind
  readonly message: string
  readonly retryable: boolean
  readonly retryAfterMs?: number
  /** No byte of the request was sent: the call is given back, so many times as the run allows. */
  readonly neverSent?: true
}

interface FindingBody {
  readonly rule: string
  readonly message: string
  readonly numbers: Readonly<Record<string, number>>
  /** Findings of one rule and level with different keys are told one by one; without a key once in a run. */
  readonly key?: string
  /** For the drive: what was noticed, and what to try instead. */
  readonly advice?: string
  /** Sequence numbers of the events that it rests on. */
  readonly restsOn: readonly number[]
}

/** What a rule noticed. One that asks for an end says which. */
export type Finding =
  | (FindingBody & { readonly level: 'note' | 'warn' })
  | (FindingBody & { readonly level: 'stop'; readonly stop: StopCause })

export const finishKinds = ['stop', 'tool-calls', 'length', 'other'] as const
export type FinishKind = (typeof finishKinds)[number]

export const verificationTriggers = ['baseline', 'change', 'claim', 'turn', 'cap', 'held-out'] as const
export type VerificationTrigger = (typeof verificationTriggers)[number]

// --- lifecycle -----------------------------------------------------------------------------------

export interface RunStarted {
  readonly type: 'run-started'
  readonly donecheckVersion: string
  /** Absolute, symlinks resolved; null where the run has no folder. */
  readonly workFolder: string | null
  readonly drive: DriveDescription
  readonly settings: RunSettings
  /** What the starter needs to build the same parts again on resume; opaque to this room. */
  readonly recipe: JsonValue
  /** Within what the commands of its tools run; absent in older records, and where it brings none. */
  readonly sandbox?: SandboxDescription
  /** Where this run is a part of another one. */
  readonly parent?: ParentRun
  /** What it is told apart by later, such as `memory=on`; absent: nothing. */
  readonly labels?: readonly string[]
}

export interface RunResumed {
  readonly type: 'run-resumed'
  readonly holder: string
  /** The drive that goes on, where it is told: its prices and limits hold from here. */
  readonly drive?: DriveDescription
}

export interface InterruptRequested {
  readonly type: 'interrupt-requested'
  readonly by: string
}

export interface RunStopped {
  readonly type: 'run-stopped'
  readonly transition: StopTransition
}

// --- a turn --------------------------------------------------------------------------------------

/** Announced before the drive is asked (I4): an announced call counts, whatever becomes of it (I9). */
export interface ModelCalled {
  readonly type: 'model-called'
  readonly turn: number
  /** 1 for the first try of a turn. */
  readonly attempt: number
}

export interface ModelReplied {
  readonly type: 'model-replied'
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  readonly finish: FinishKind
  readonly usage: TokenUsage | null
  readonly costUsd: number | null
  /** An external agent that crashed, hung or said nothing: one turn, told to the next. */
  readonly problem?: string
  /** Pieces of its text have reached the user while they came in. */
  readonly streamed?: true
}

export interface ModelFailed {
  readonly type: 'model-failed'
  readonly failure: DriveFailure
  /** Null: it used nothing, as far as anybody knows. */
  readonly usage: TokenUsage | null
  readonly costUsd: number | null
  /** Told to the drive before its next reply. */
  readonly notice?: string
}

export interface ApprovalRequested {
  readonly type: 'approval-requested'
  readonly callId: string
  readonly question: string
}

export interface ApprovalGiven {
  readonly type: 'approval-given'
  readonly callId: string
  readonly approved: boolean
  readonly by: string
  readonly reason: string
  /** Absent: for this call. */
  readonly scope?: AmendmentScope
}

/** Announced before the tool runs (I4). */
export interface ToolCalled {
  readonly type: 'tool-called'
  readonly callId: string
  readonly tool: string
  /** What may happen when it is run twice. */
  readonly effect: ToolEffect
}

/** `read` may be repeated freely; `write` and `execute` may not. */
export const toolEffects = ['read', 'write', 'execute'] as const
export type ToolEffect = (typeof toolEffects)[number]

export const toolStatuses = ['ok', 'error', 'interrupted', 'unknown'] as const

/** Who may refuse a call. */
export const refusers = ['gate', 'approver', 'cap', 'schema', 'record', 'detector', 'hook'] as const

export interface ToolReturned {
  readonly type: 'tool-returned'
  readonly callId: string
  /** `unknown`: announced, and the process died before its result was recorded. */
  readonly status: (typeof toolStatuses)[number]
  readonly output: string
  /** Equal for results that say the same, volatile parts left out; absent: unknown. */
  readonly outcome?: string
  /** A sketch of the lines of the result, for telling whether two say nearly the same; absent: unknown. */
  readonly lines?: string
  /** Equal for failures that say the same; absent: it did not fail, or nobody knows. */
  readonly failure?: string
  /** False: it was to change something, and everything is as it was. */
  readonly changed?: boolean
  /** Ids of parts of the goal that its tool says it has advanced. */
  readonly advances?: readonly string[]
}

/** The call was never run. */
export interface ToolRefused {
  readonly type: 'tool-refused'
  readonly callId: string
  readonly by: (typeof refusers)[number]
  readonly reason: string
  readonly label?: RefusalLabel
  /** There is no tool of that name. */
  readonly unknownTool?: true
}

export interface WorkspaceObserved {
  readonly type: 'workspace-observed'
  readonly fingerprint: string
}

export interface VerificationStarted {
  readonly type: 'verification-started'
  readonly trigger: VerificationTrigger
  readonly verifiers: readonly string[]
}

export interface VerdictGiven {
  readonly type: 'verdict-given'
  readonly verdict: Verdict
}

export interface FindingNoted {
  readonly type: 'finding-noted'
  readonly finding: Finding
}

export interface TurnEnded {
  readonly type: 'turn-ended'
  readonly turn: number
  readonly transition: Transition
  /** The next message to the drive; absent when there is nothing to say. */
  readonly feedback?: string
}

export type Fact =
  | RunStarted
  | RunResumed
  | AgentSessionOpened
  | AgentPlanReported
  | ClaimExamined
  | InterruptRequested
  | RunStopped
  | ModelCalled
  | ModelReplied
  | ModelFailed
  | GateDecided
  | HookRan
  | ApprovalRequested
  | ApprovalGiven
  | ToolCalled
  | ToolReturned
  | ToolRefused
  | WorkspaceObserved
  | VerificationStarted
  | VerdictGiven
  | FindingNoted
  | TurnEnded
  | FinalSummaryCalled
  | FinalSummaryReplied
  | SubRunStarted
  | SubRunEnded
  | BudgetAdded
  | ReplyCheckFact
  | ChecksSealed
  | GoalFact
  | MemoryRecalled

export type FactType = Fact['type']

/** One kind of fact, such as `FactOf<'tool-called'>`. */
export type FactOf<Type extends FactType> = Extract<Fact, { readonly type: Type }>

export type RunEvent = EventHeader & Fact

/** A fact with what the teller knows of it: the recorder adds the rest. */
export type NewEvent = Fact & { readonly durationMs?: number; readonly causeId?: string }
