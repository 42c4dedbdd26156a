/**
 * The doors to the world, each as small as the loop's need for it. Implementations live in the rooms of level 2;
 * contract suites for them in `testing/contracts/`. No implementation may throw for an expected failure: failures are
 * data. What it throws all the same is turned into data by `run/perform.ts` (I6, I7).
 */
import type {
  AppendResult,
  Conversation,
  DriveDescription,
  DriveFailure,
  EpochMs,
  ExpectedSequence,
  FinishKind,
  JsonValue,
  ReadResult,
  RunEvent,
  RunSummary,
  TokenUsage,
  ToolEffect,
  Verdict,
} from './events/index.ts'
import type { Attachment } from './check-ports.ts'

export type {
  Attachment,
  Guard,
  GuardRequest,
  GuardedTree,
  Human,
  HumanAnswer,
  HumanQuestion,
  Judge,
  JudgeAnswer,
  JudgeRequest,
  PatchCheck,
  PatchChecker,
  ProbeChange,
  ProbeTree,
  ProbeTrees,
  RetryPolicy,
  Verifier,
  VerifierContext,
  VerifierInputs,
  VerifierReport,
} from './check-ports.ts'

// --- time and names ------------------------------------------------------------------------------

export interface Clock {
  nowMs(): EpochMs
  /** Resolves after that time, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export interface Ids {
  /** A new unique name; later names sort after earlier ones. */
  next(): string
}

// --- the drive: what proposes the next step ------------------------------------------------------

export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: JsonValue
}

export interface DriveRequest {
  readonly runId: string
  readonly turn: number
  readonly attempt: number
  /** Successful replies before this one. */
  readonly replies: number
  readonly conversation: Conversation
  readonly tools: readonly ToolDescription[]
  readonly maxOutputTokens: number
  /** Called with pieces of text while they come in. */
  readonly onText: (piece: string) => void
}

export interface ProposedCall {
  readonly callId: string
  readonly tool: string
  readonly args: JsonValue
  /** Why the arguments could not be read; then `args` is the raw text. */
  readonly malformed?: string
}

export type DriveAnswer =
  | {
      readonly kind: 'replied'
      readonly text: string
      readonly toolCalls: readonly ProposedCall[]
      readonly finish: FinishKind
      /** Null: nobody knows. */
      readonly usage: TokenUsage | null
      /** Something went wrong that the next turn should know; the turn counts all the same. */
      readonly problem?: string
    }
  | { readonly kind: 'failed'; readonly failure: DriveFailure; readonly usage: TokenUsage | null }

export interface Drive {
  readonly description: DriveDescription
  /** Proposes one step. On abort it ends its work, children included, and answers `failed` with kind `interrupted`. */
  next(request: DriveRequest, signal: AbortSignal): Promise<DriveAnswer>
}

// --- tools, and what stands before them ----------------------------------------------------------

export interface ToolOutcome {
  readonly status: 'ok' | 'error' | 'interrupted'
  /** For the drive to read. */
  readonly output: string
}

export type PreparedCall =
  | {
      readonly kind: 'ready'
      /** One line, such as `write src/a.ts (12 lines)`. */
      readonly summary: string
      /** What would change, for a person who must decide: usually a diff. */
      readonly preview?: string
      run(signal: AbortSignal): Promise<ToolOutcome>
    }
  /** The arguments are wrong or reach out of bounds; the reason is for the drive. */
  | { readonly kind: 'invalid'; readonly reason: string }

export interface Tool extends ToolDescription {
  readonly effect: ToolEffect
  /** Checks the arguments and looks at what they would do, without doing it. */
  prepare(args: JsonValue): Promise<PreparedCall>
}

export interface GateRequest {
  readonly tool: string
  readonly effect: ToolEffect
  readonly args: JsonValue
  readonly summary: string
}

export interface GateDecision {
  readonly kind: 'allow' | 'prompt' | 'forbid'
  readonly reason: string
}

/** What may run. Fails closed: whatever it throws is a `forbid` (I7). */
export interface Gate {
  check(request: GateRequest): Promise<GateDecision>
}

export interface ApprovalQuestion extends GateRequest {
  readonly callId: string
  readonly preview?: string
  /** Why it is asked. */
  readonly reason: string
}

export interface Approval {
  readonly approved: boolean
  /** Who decided, such as `terminal` or `--yes`. */
  readonly by: string
  readonly reason: string
}

export interface Approver {
  /** False: it answers by a rule, and no person looks. What only a person may decide is not asked of it. Default true. */
  readonly isAttended?: boolean
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<Approval>
}

// --- the work tree, and what is asked of it -----------------------------------------------------

export interface FingerprintOptions {
  /** Globs relative to the folder: nothing else counts. */
  readonly files?: readonly string[]
}

export interface Workspace {
  readonly folder: string
  /** Equal for equal content of the work tree, different for different content. */
  fingerprint(signal: AbortSignal, options?: FingerprintOptions): Promise<string>
  /** Another one as soon as a file that the fingerprint leaves out was written. Absent: there are none, or nobody looks. */
  ignoredStamp?(signal: AbortSignal): Promise<string>
}

// --- the store -----------------------------------------------------------------------------------

/** The right to write under one name, until it expires or is taken over. */
export interface Lease {
  /** What is held, such as `run:01J…` or `folder:/srv/tree`. */
  readonly name: string
  readonly holder: LeaseHolder
  /** Grows with every holder of that name; a smaller one is fenced off. */
  readonly fence: number
  readonly expiresAtMs: EpochMs
}

export interface LeaseHolder {
  readonly host: string
  readonly processId: number
  /** Tells two processes with one id apart; null where the system does not say. */
  readonly processStart: string | null
  /** For people: what it is doing, such as the run's id. */
  readonly purpose: string
}

export type LeaseResult =
  { readonly kind: 'held'; readonly lease: Lease } | { readonly kind: 'taken'; readonly by: Lease }

export interface AcquireRequest {
  readonly name: string
  readonly holder: LeaseHolder
  readonly nowMs: EpochMs
  readonly ttlMs: number
  /** Take it although it has not expired: the holder that had this fence is known to be dead. */
  readonly takeOverFence?: number
}

export interface EventLog {
  /** Appends all or nothing. With a lease, only while nobody else has taken it over. */
  append(expected: ExpectedSequence, events: readonly RunEvent[], lease: Lease | null): Promise<AppendResult>
  /** In order; empty for an unknown run. Rejects with `CorruptEventError` where a stored event cannot be read. */
  read(runId: string): Promise<ReadResult>
  /** Latest first. */
  list(): Promise<readonly RunSummary[]>
}

export interface Leases {
  acquire(request: AcquireRequest): Promise<LeaseResult>
  /** Undefined when it was taken over meanwhile. */
  renew(lease: Lease, expiresAtMs: EpochMs): Promise<Lease | undefined>
  /** Nothing happens when it was taken over meanwhile. */
  release(lease: Lease): Promise<void>
}

export interface Attachments {
  attach(runId: string, attachment: Attachment): Promise<void>
  attachment(runId: string, digest: string): Promise<Attachment | undefined>
  attachmentsOf(runId: string): Promise<readonly Attachment[]>
}

/** How often a verifier ran and failed in earlier runs, for the order of checks. */
export interface VerifierYield {
  readonly verifier: string
  readonly runs: number
  /** Of them: `failed`. */
  readonly failures: number
  readonly totalMs: number
}

/** Verdicts under the digest of all that they depend on. */
export interface RememberedVerdicts {
  remember(key: string, verdict: Verdict): Promise<void>
  recall(key: string): Promise<Verdict | undefined>
  yields(): Promise<readonly VerifierYield[]>
  /** Counts a verdict that was really asked for. */
  learn(verdict: Verdict): Promise<void>
}

export interface Store extends EventLog, Leases, Attachments, RememberedVerdicts {
  /** Where it is, for people. */
  readonly place: string
  /** For what is too large for the record, such as snapshots of trees; null: it keeps nothing on disk. */
  readonly folder: string | null
  close(): Promise<void>
}
