/** What every store does alike, over tables of its own. */
import type {
  HostSession,
  HostSessionEntry,
  HostSessions,
  KeptHostSession,
  Lease,
  Leases,
} from '../../../ports/store.ts'
import { decideAcquire, heldLease, isCurrent, renewLease, type LeaseRecord } from './lease-rules.ts'

/** The door of a store: every method passes through it, so that all fail alike. Rejects with a `StoreError` where the store is closed or broken. */
export type Attempt = <Result>(work: () => Result) => Promise<Result>

export const closedProblem = 'it is closed: open it again'

/** All of the work or nothing, and no other writer beside it. */
export type Atomically = <Result>(work: () => Result) => Result

/** One row a name; it is never deleted, because its fence must not be given out again. */
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

/** One row a session: it does not grow with what has happened in it. */
export interface HostSessionTable {
  readonly keep: (session: HostSession) => void
  readonly of: (key: string) => KeptHostSession | undefined
  readonly all: () => readonly HostSessionEntry[]
}

/** @param sequenceOf of the latest event of a run; asked when nobody else writes */
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

/** Sessions of one moment by their keys. */
function latestSessionFirst(one: HostSessionEntry, other: HostSessionEntry): number {
  if (one.updatedAtMs !== other.updatedAtMs) return other.updatedAtMs - one.updatedAtMs
  return one.key < other.key ? -1 : 1
}
