import type { GoalRequest } from '@donecheck/core/internal/goal'
import type { CorruptEventError } from '../base/index.ts'
import type { Attachment } from './checks.ts'
import type { Questions } from './questions.ts'
import type { EpochMs, RunEvent } from '@donecheck/core/internal/events'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'

/** Last sequence number the writer has seen; 0 for a new stream. */
export type ExpectedSequence = number

export type AppendResult =
  | { readonly kind: 'appended' }
  /** Another writer appended: the stream is at `actualSequence`. */
  | { readonly kind: 'conflict'; readonly actualSequence: number }
  /** Another process took over the lease. */
  | { readonly kind: 'fenced'; readonly message: string }

/** A run in a list, as of its latest event. */
export interface RunSummary {
  readonly runId: string
  readonly startedAtMs: number
  readonly updatedAtMs: number
  readonly events: number
  readonly task: string
  readonly workFolder: string | null
  /** Agent name (see `checksOnly` for none); undefined if unknown. */
  readonly agent: string | undefined
  /** Undefined until the run stops. */
  readonly reason: string | undefined
  readonly outcome: string | undefined
  /** Cap and detector that ended the run, if any. */
  readonly cap: string | undefined
  readonly detector: string | undefined
  /** Tags given at the start. */
  readonly tags: readonly string[]
  /** Imported, so not observed here. */
  readonly imported?: true
}

/** A process that holds something, identified so that others can test whether it is alive. */
export interface ProcessHolder {
  readonly host: string
  readonly processId: number
  /** Start in clock ticks since boot; null if unknown. */
  readonly processStart: string | null
  readonly purpose: string
}

/** The right to write under a name until released or taken over, which is allowed after expiry. */
export interface Lease {
  readonly name: string
  readonly holder: LeaseHolder
  /** Increases with every holder of the name; lower ones are rejected. */
  readonly fence: number
  readonly expiresAtMs: EpochMs
}

export type LeaseHolder = ProcessHolder

export type LeaseResult =
  { readonly kind: 'held'; readonly lease: Lease } | { readonly kind: 'taken'; readonly by: Lease }

export interface AcquireRequest {
  readonly name: string
  readonly holder: LeaseHolder
  readonly ttlMs: number
  /** Take over before expiry: the holder with this fence is known to be dead. */
  readonly takeOverFence?: number
}

export interface EventLog {
  /** Appends all or nothing, with the host session. A lease must still be held. */
  append(
    expected: ExpectedSequence,
    events: readonly RunEvent[],
    lease: Lease | null,
    beside?: HostSession,
  ): Promise<AppendResult>
  /** In order; empty for an unknown run. Rejects with `CorruptEventError` for an unreadable event. */
  read(runId: string): Promise<readonly RunEvent[]>
  /** Most recently updated first. */
  list(): Promise<readonly RunSummary[]>
}

/** Filters; absent ones match all. */
export interface RunQuery {
  readonly outcome?: string
  readonly reason?: string
  readonly tag?: string
  /** True: not stopped; false: stopped. */
  readonly isOpen?: boolean
  /** Substring of the task, ignoring case. */
  readonly text?: string
  /** Includes verifications without an agent. Default false. */
  readonly withChecksOnly?: boolean
  readonly limit: number
  /** `next` of the previous page. */
  readonly cursor?: string
}

export interface RunPage {
  /** Most recently started first, so events do not move runs between pages. */
  readonly runs: readonly RunSummary[]
  /** Cursor of the next page; null on the last. */
  readonly next: string | null
}

/** Runs with new events, or with questions asked, answered or withdrawn, since a mark. */
export interface StoreChanges {
  /** Pass it to the next call. */
  readonly latest: number
  readonly runIds: readonly string[]
}

/** Reads for followers: cost depends on the result, not on the store's size. */
export interface RunPages {
  /**
   * Readable events after that number, in order. Rejects with `CorruptEventError` if the next one is
   * unreadable.
   * @param limit at most
   */
  readAfter(runId: string, sequence: number, limit: number): Promise<readonly RunEvent[]>
  /** Rejects with `UsageError` for a limit below 1 or an unknown cursor. */
  listPage(query: RunQuery): Promise<RunPage>
  /** Undefined if the run is unknown. */
  summary(runId: string): Promise<RunSummary | undefined>
  /** @param after latest known mark, 0 for all runs; absent: returns only the mark */
  changes(after?: number): Promise<StoreChanges>
  /**
   * Calls the listener soon after any process changes something; calls may be lost. Absent if unsupported:
   * poll.
   * @returns unsubscribes
   */
  readonly onChange?: (listener: () => void) => () => void
}

/** Edits of whole records from outside of their run. */
export interface RecordKeeping {
  /** Appends an imported run as new; its summary says so. */
  takeIn(events: readonly RunEvent[]): Promise<AppendResult>
  /** Readable events in order, and the problem of the first unreadable one. */
  readAsFar(runId: string): Promise<ReadableEvents>
  /** Deletes this event and all later ones. @param keep gets their texts first; a throw cancels */
  cutOff(runId: string, sequence: number, keep: (texts: readonly string[]) => void): Promise<void>
}

export interface ReadableEvents {
  readonly events: readonly RunEvent[]
  readonly problem: CorruptEventError | undefined
}

/** Uses the store's clock: the database's if shared by machines. */
export interface Leases {
  acquire(request: AcquireRequest): Promise<LeaseResult>
  /** Extends it from now. @returns undefined if it was taken over */
  renew(lease: Lease, ttlMs: number): Promise<Lease | undefined>
  /** No effect if it was taken over. */
  release(lease: Lease): Promise<void>
  /** Also returns an expired holder; undefined if free. */
  leaseOf(name: string): Promise<Lease | undefined>
}

export interface Attachments {
  attach(runId: string, attachment: Attachment): Promise<void>
  attachment(runId: string, digest: string): Promise<Attachment | undefined>
  attachmentsOf(runId: string): Promise<readonly Attachment[]>
  /** In order, without contents. */
  attachmentDigests(runId: string): Promise<readonly string[]>
  /** Deletes all or none; ignores missing ones. Only for attachments that no event names. */
  detach(runId: string, digests: readonly string[]): Promise<void>
}

/** Verdicts by digest of all their inputs. */
export interface RememberedVerdicts {
  remember(key: string, verdict: Verdict): Promise<void>
  recall(key: string): Promise<Verdict | undefined>
}

/** Maps an agent session to its run, with a snapshot so hooks need not read the whole run. */
export interface HostSession {
  /** Agent and its session id, such as `claude-code/3f2a…`. */
  readonly key: string
  readonly runId: string
  /** Latest event included in the snapshot. */
  readonly sequence: number
  readonly updatedAtMs: EpochMs
  /** Opaque cache text that may be deleted, damaged or outdated at any time (I2). */
  readonly snapshot: string
}

/** List entry; load the snapshot by key. */
export type HostSessionEntry = Omit<HostSession, 'snapshot'>

export interface KeptHostSession extends HostSession {
  /** Latest sequence of its run, possibly beyond the snapshot. 0: no such run. */
  readonly latestSequence: number
}

export interface HostSessions {
  hostSession(key: string): Promise<KeptHostSession | undefined>
  /** Most recently updated first. */
  hostSessions(): Promise<readonly HostSessionEntry[]>
  /** Stores it without an event, only if the run is at exactly that sequence. */
  keepHostSession(session: HostSession): Promise<boolean>
}

/** Data derived from a run, for queries over many. Valid for that number of events. */
export interface KeptRunRow {
  readonly runId: string
  readonly events: number
  /** Opaque cache text that may be deleted, damaged or outdated at any time (I2). */
  readonly text: string
}

/** Ordered by run id. */
export interface KnownRunRows {
  /** Valid rows: their runs have no further event. */
  readonly rows: readonly KeptRunRow[]
  /** Ids of the other runs. */
  readonly missing: readonly string[]
  /** Ids of imported runs. */
  readonly imported: readonly string[]
}

export interface RunRows {
  /** @param sinceMs earliest start @param runIds default: all runs */
  runRows(sinceMs: number, runIds?: readonly string[]): Promise<KnownRunRows>
  /** Replaces rows of the same runs. */
  keepRunRows(rows: readonly KeptRunRow[]): Promise<void>
}

/** A request to change a run's goal. The run itself answers at its next boundary. */
export interface KeptGoalRequest {
  /** Increases within the store. */
  readonly number: number
  readonly runId: string
  readonly request: GoalRequest
}

/** Inbox of runs: any process writes, the holder of the run reads. */
export interface GoalRequests {
  /**
   * @param answered latest request number the run answered, for imported runs
   * @returns its number, above that and all stored ones
   */
  keepGoalRequest(runId: string, request: GoalRequest, answered?: number): Promise<number>
  /** The run's requests after a number, in order. */
  goalRequests(runId: string, after: number): Promise<readonly KeptGoalRequest[]>
}

export interface Store
  extends
    EventLog,
    RecordKeeping,
    RunPages,
    Questions,
    Leases,
    Attachments,
    RememberedVerdicts,
    HostSessions,
    GoalRequests,
    RunRows {
  /** Location for people. */
  readonly place: string
  /** Folder for large data such as tree snapshots; null without a disk. */
  readonly folder: string | null
  close(): Promise<void>
}
