/** Who may hold a name: the rules of `Leases`, the same for every store. A fence is never given out twice. */
import type { EpochMs } from '@donecheck/core/internal/events'
import type {
  AcquireRequest,
  HostSession,
  HostSessionEntry,
  HostSessions,
  KeptHostSession,
  Lease,
  LeaseResult,
  Leases,
} from '../../../ports/store.ts'

/** Kept after release, because the next fence must be greater. */
export interface LeaseRecord {
  readonly lease: Lease
  readonly released: boolean
}

export function decideAcquire(
  current: LeaseRecord | undefined,
  request: AcquireRequest,
  nowMs: EpochMs,
): LeaseResult {
  if (current !== undefined && !isFree(current, request, nowMs)) return { kind: 'taken', by: current.lease }
  const { name, holder, ttlMs } = request
  const fence = (current?.lease.fence ?? 0) + 1
  return { kind: 'held', lease: { name, holder, fence, expiresAtMs: nowMs + ttlMs } }
}

function isFree({ lease, released }: LeaseRecord, request: AcquireRequest, nowMs: EpochMs): boolean {
  return released || lease.expiresAtMs <= nowMs || request.takeOverFence === lease.fence
}

export function heldLease(current: LeaseRecord | undefined): Lease | undefined {
  return current === undefined || current.released ? undefined : current.lease
}

/** An expired lease still counts if nobody took it over: nobody else has written. */
export function isCurrent(current: LeaseRecord, lease: Lease): boolean {
  return !current.released && current.lease.fence === lease.fence
}

export function renewLease(
  current: LeaseRecord | undefined,
  lease: Lease,
  expiresAtMs: EpochMs,
): Lease | undefined {
  return current !== undefined && isCurrent(current, lease) ? { ...current.lease, expiresAtMs } : undefined
}

/** @returns undefined while the lease is valid */
export function fencedMessage(current: LeaseRecord | undefined, lease: Lease): string | undefined {
  const mine = `lease ${lease.name} (fence ${lease.fence})`
  if (current === undefined) return `${mine} is unknown to this store`
  if (isCurrent(current, lease)) return undefined
  const { holder, fence } = current.lease
  if (fence === lease.fence) return `${mine} was released`
  const by = `process ${holder.processId} on ${holder.host} (${holder.purpose}, fence ${fence})`
  return `${mine} was taken over by ${by}`
}

/** Runs every store method, so errors are uniform. Rejects with `StoreError` if closed or broken. */
export type Attempt = <Result>(work: () => Result) => Promise<Result>

export const closedProblem = 'it is closed: open it again'

/** Runs the work in one exclusive transaction. */
export type Atomically = <Result>(work: () => Result) => Result

/** One row per name, never deleted, because fences must not repeat. */
export interface LeaseTable {
  readonly recordOf: (name: string) => LeaseRecord | undefined
  readonly keep: (record: LeaseRecord) => void
}

export function leasesIn(table: LeaseTable, attempt: Attempt, atomically: Atomically): Leases {
  const keep = (lease: Lease) => table.keep({ lease, released: false })
  return {
    acquire: (request) =>
      attempt(() =>
        atomically(() => {
          const result = decideAcquire(table.recordOf(request.name), request, Date.now())
          if (result.kind === 'held') keep(result.lease)
          return result
        }),
      ),
    renew: (lease, ttlMs) =>
      attempt(() =>
        atomically(() => {
          const next = renewLease(table.recordOf(lease.name), lease, Date.now() + ttlMs)
          if (next !== undefined) keep(next)
          return next
        }),
      ),
    release: (lease) =>
      attempt(() =>
        atomically(() => {
          const current = table.recordOf(lease.name)
          if (current !== undefined && isCurrent(current, lease)) table.keep({ ...current, released: true })
        }),
      ),
    leaseOf: (name) => attempt(() => heldLease(table.recordOf(name))),
  }
}

/** One row per session, of constant size. */
export interface HostSessionTable {
  readonly keep: (session: HostSession) => void
  readonly of: (key: string) => KeptHostSession | undefined
  readonly all: () => readonly HostSessionEntry[]
}

/** @param sequenceOf latest event of a run, read within the transaction */
export function hostSessionsIn(
  table: HostSessionTable,
  attempt: Attempt,
  atomically: Atomically,
  sequenceOf: (runId: string) => number,
): HostSessions {
  return {
    hostSession: (key) => attempt(() => table.of(key)),
    hostSessions: () => attempt(() => [...table.all()].sort(latestSessionFirst)),
    keepHostSession: (session) =>
      attempt(() =>
        atomically(() => {
          if (sequenceOf(session.runId) !== session.sequence) return false
          table.keep(session)
          return true
        }),
      ),
  }
}

function latestSessionFirst(one: HostSessionEntry, other: HostSessionEntry): number {
  if (one.updatedAtMs !== other.updatedAtMs) return other.updatedAtMs - one.updatedAtMs
  return one.key < other.key ? -1 : 1
}
