import type { GoalRequest } from '@donecheck/core/internal/goal'
import type { CorruptEventError } from '../base/index.ts'
import type { Attachment } from './checks.ts'
import type { Questions } from './questions.ts'
import type { EpochMs, RunEvent } from '@donecheck/core/internal/events'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'

/** Sequence number of the last event that the writer has seen; 0 for a stream that must not exist yet. */
export type ExpectedSequence = number

export type AppendResult =
  | { readonly kind: 'appended' }
  /** Somebody else wrote: the stream stands at `actualSequence`. */
  | { readonly kind: 'conflict'; readonly actualSequence: number }
  /** The writer's lease was taken over by another. */
  | { readonly kind: 'fenced'; readonly message: string }

/** One run in a list, as of its latest event. */
export interface RunSummary {
  readonly runId: string
  readonly startedAtMs: number
  readonly updatedAtMs: number
  readonly events: number
  readonly task: string
  readonly workFolder: string | null
  /** Its name, see `checksOnly` for none; undefined: there is no telling. */
  readonly drive: string | undefined
  /** Undefined while the run has not stopped. */
  readonly reason: string | undefined
  readonly outcome: string | undefined
  /** Which cap the run was ended by, and which detector; undefined: by none. */
  readonly cap: string | undefined
  readonly detector: string | undefined
  /** Given to the run when it started. */
  readonly labels: readonly string[]
  /** It was recorded elsewhere: nothing of it was observed by whoever keeps it. */
  readonly imported?: true
}

/** A process that holds something, named so that another process can ask whether it still lives. */
export interface ProcessHolder {
  readonly host: string
  readonly processId: number
  /** When it started, in clock ticks since the machine did; null where nobody could tell. */
  readonly processStart: string | null
  /** What it holds, in words for people. */
  readonly purpose: string
}

/** The right to write under one name, until it is released or taken over. Once it has expired, anyone may take it over. */
export interface Lease {
  /** What is held, such as `run:01J…` or `folder:/srv/tree`. */
  readonly name: string
  readonly holder: LeaseHolder
  /** Grows with every holder of that name; a smaller one is fenced off. */
  readonly fence: number
  readonly expiresAtMs: EpochMs
}

/** The process that holds the lease. */
export type LeaseHolder = ProcessHolder

export type LeaseResult =
  { readonly kind: 'held'; readonly lease: Lease } | { readonly kind: 'taken'; readonly by: Lease }

export interface AcquireRequest {
  readonly name: string
  readonly holder: LeaseHolder
  readonly ttlMs: number
  /** Take it although it has not expired: the holder that had this fence is known to be dead. */
  readonly takeOverFence?: number
}

export interface EventLog {
  /**
   * Appends all or nothing, and what is to be kept of a host's session with it. With a lease, only while nobody else has taken
   * it over.
   */
  append(
    expected: ExpectedSequence,
    events: readonly RunEvent[],
    lease: Lease | null,
    beside?: HostSession,
  ): Promise<AppendResult>
  /** In order; empty for an unknown run. Rejects with `CorruptEventError` where a stored event cannot be read. */
  read(runId: string): Promise<readonly RunEvent[]>
  /** Most recently updated first. */
  list(): Promise<readonly RunSummary[]>
}

/** Which runs are wanted; what is left out is not asked for. */
export interface RunQuery {
  readonly outcome?: string
  readonly reason?: string
  /** One of the labels of the run. */
  readonly label?: string
  /** It has not stopped; false: it has. */
  readonly isOpen?: boolean
  /** Text that the task contains. Case is ignored. */
  readonly text?: string
  /** Verifications without a drive too. Default: runs alone. */
  readonly withChecksOnly?: boolean
  readonly limit: number
  /** `next` of the previous page. */
  readonly cursor?: string
}

export interface RunPage {
  /** Most recently started first, so that no event moves a run to another page. */
  readonly runs: readonly RunSummary[]
  /** The cursor of the page that follows; null: this is the last. */
  readonly next: string | null
}

/** Since a mark: runs that got events, or whose questions were asked, answered or withdrawn, by whatever process. */
export interface StoreChanges {
  /** The mark to ask with the next time. */
  readonly latest: number
  readonly runIds: readonly string[]
}

/** For whoever follows runs: what it asks for costs as much as it gives, however much the store holds. */
export interface RunPages {
  /**
   * Events after that sequence number, in order, as far as they can be read; empty: there is nothing new. Rejects with
   * `CorruptEventError` where the very next cannot be read.
   * @param limit so many at most
   */
  readAfter(runId: string, sequence: number, limit: number): Promise<readonly RunEvent[]>
  /** Rejects with `UsageError` for a limit below 1 and a cursor that no page gave. */
  listPage(query: RunQuery): Promise<RunPage>
  /** Undefined if the run is unknown. */
  summary(runId: string): Promise<RunSummary | undefined>
  /** @param after the latest mark that is known, 0 for all runs; left out: the mark alone is wanted */
  changes(after?: number): Promise<StoreChanges>
  /**
   * Calls the listener soon after something has changed, by whatever process: `changes` tells what. Now and then a call is missing.
   * A store that cannot tell leaves it out, and is asked from time to time.
   * @returns what ends it
   */
  readonly onChange?: (listener: () => void) => () => void
}

/** What is done to a whole record, from outside of its run. */
export interface RecordKeeping {
  /** As `append` does for a new run, of one that was recorded elsewhere: its summary says so from now on. */
  takeIn(events: readonly RunEvent[]): Promise<AppendResult>
  /** What can be read, in order. A problem is what the first event has that cannot. */
  readAsFar(runId: string): Promise<ReadableEvents>
  /**
   * Takes this event and all after it out of the record.
   * @param keep is given their texts before; where it throws, nothing is taken out
   */
  cutOff(runId: string, sequence: number, keep: (texts: readonly string[]) => void): Promise<void>
}

export interface ReadableEvents {
  readonly events: readonly RunEvent[]
  readonly problem: CorruptEventError | undefined
}

/** By the store's own clock: that of the database where many machines share one, of this machine where they do not. */
export interface Leases {
  acquire(request: AcquireRequest): Promise<LeaseResult>
  /** From now on. Undefined when it was taken over meanwhile. */
  renew(lease: Lease, ttlMs: number): Promise<Lease | undefined>
  /** Does nothing if the lease has been taken over in the meantime. */
  release(lease: Lease): Promise<void>
  /** Whose it is, also when it has expired and nobody took it over; undefined: it is free. */
  leaseOf(name: string): Promise<Lease | undefined>
}

export interface Attachments {
  attach(runId: string, attachment: Attachment): Promise<void>
  attachment(runId: string, digest: string): Promise<Attachment | undefined>
  attachmentsOf(runId: string): Promise<readonly Attachment[]>
  /** In order, without what stands under them. */
  attachmentDigests(runId: string): Promise<readonly string[]>
  /** All of these or none; what is not there stays so. For what nothing in the record names. */
  detach(runId: string, digests: readonly string[]): Promise<void>
}

/** Verdicts under the digest of all that they depend on. */
export interface RememberedVerdicts {
  remember(key: string, verdict: Verdict): Promise<void>
  recall(key: string): Promise<Verdict | undefined>
}

/** Which run a session of a host is in, and what whoever hosts it wants to find again without reading the whole run. */
export interface HostSession {
  /** The agent and its own name for the session, such as `claude-code/3f2a…`. */
  readonly key: string
  readonly runId: string
  /** Of the latest event that the snapshot knows. */
  readonly sequence: number
  readonly updatedAtMs: EpochMs
  /** One text, of whoever wrote it: a cache that may be deleted, damaged or of another version at any time (I2). */
  readonly snapshot: string
}

/** One of many: what was remembered of it is asked for by its key. */
export type HostSessionEntry = Omit<HostSession, 'snapshot'>

export interface KeptHostSession extends HostSession {
  /** How its run stands: beyond what the snapshot knows, where somebody else has written. 0: there is no such run. */
  readonly latestSequence: number
}

export interface HostSessions {
  hostSession(key: string): Promise<KeptHostSession | undefined>
  /** Most recently updated first. */
  hostSessions(): Promise<readonly HostSessionEntry[]>
  /** Without an event: it is kept where its run stands at that very sequence number, and otherwise left out. */
  keepHostSession(session: HostSession): Promise<boolean>
}

/** What was distilled of a run, for questions over many of them. It holds while the run has so many events. */
export interface KeptRunRow {
  readonly runId: string
  readonly events: number
  /** One text, of whoever distilled it: a cache that may be deleted, damaged or of another version at any time (I2). */
  readonly text: string
}

/** Of runs in the order of their ids. */
export interface KnownRunRows {
  /** Those that hold: their runs have no further event. */
  readonly rows: readonly KeptRunRow[]
  /** Ids of the other runs. */
  readonly missing: readonly string[]
  /** Ids of runs that were recorded elsewhere. */
  readonly imported: readonly string[]
}

export interface RunRows {
  /**
   * @param sinceMs of runs begun then or later
   * @param runIds of these alone; default: of all
   */
  runRows(sinceMs: number, runIds?: readonly string[]): Promise<KnownRunRows>
  /** Replaces the rows of the same runs. */
  keepRunRows(rows: readonly KeptRunRow[]): Promise<void>
}

/** Somebody wants a change of a run's goal. Only the run itself answers, when it next comes to a boundary. */
export interface KeptGoalRequest {
  /** Grows within the store. */
  readonly number: number
  readonly runId: string
  readonly request: GoalRequest
}

/** The inbox of runs: any process writes there, and whoever holds the run reads. */
export interface GoalRequests {
  /**
   * @param answered number of the latest request that the run has answered: an imported run has answered some of another store
   * @returns its number, greater than that and than all that were kept before
   */
  keepGoalRequest(runId: string, request: GoalRequest, answered?: number): Promise<number>
  /** Of that run, with a greater number than this, in their order. */
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
  /** Where the store is, for people. */
  readonly place: string
  /** For what is too large for the record, such as snapshots of trees; null: it keeps nothing on disk. */
  readonly folder: string | null
  close(): Promise<void>
}
