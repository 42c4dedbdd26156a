import type { AcquireRequest, Lease, LeaseResult, Leases } from '../../ports.ts'
import type { Attempt } from '../attempt.ts'
import { decideAcquire, isCurrent, renewed, type LeaseRecord } from '../lease-rules.ts'

/** @param records by name; released ones stay, for their fences */
export function memoryLeases(attempt: Attempt, records: Map<string, LeaseRecord>): Leases {
  function keep(lease: Lease): Lease {
    records.set(lease.name, { lease, released: false })
    return lease
  }

  function acquire(request: AcquireRequest): LeaseResult {
    const result = decideAcquire(records.get(request.name), request)
    if (result.kind === 'held') keep(result.lease)
    return result
  }

  return {
    acquire: (request) => attempt(() => acquire(request)),
    renew: (lease, expiresAtMs) =>
      attempt(() => {
        const next = renewed(records.get(lease.name), lease, expiresAtMs)
        return next === undefined ? undefined : keep(next)
      }),
    release: (lease) =>
      attempt(() => {
        const current = records.get(lease.name)
        if (current !== undefined && isCurrent(current, lease))
          records.set(lease.name, { ...current, released: true })
      }),
  }
}
