import type { AcquireRequest, LeaseResult, Leases } from '../../ports.ts'
import type { Attempt } from '../attempt.ts'
import { decideAcquire, isCurrent, renewed } from '../lease-rules.ts'
import type { LeaseTable } from './lease-table.ts'
import type { Transactions } from './transactions.ts'

export function sqliteLeases(table: LeaseTable, transactions: Transactions, attempt: Attempt): Leases {
  function acquire(request: AcquireRequest): LeaseResult {
    const result = decideAcquire(table.recordOf(request.name), request)
    if (result.kind === 'held') table.keep({ lease: result.lease, released: false })
    return result
  }

  return {
    acquire: (request) => attempt(() => transactions.write(() => acquire(request))),
    renew: (lease, expiresAtMs) =>
      attempt(() =>
        transactions.write(() => {
          const next = renewed(table.recordOf(lease.name), lease, expiresAtMs)
          if (next !== undefined) table.keep({ lease: next, released: false })
          return next
        }),
      ),
    release: (lease) =>
      attempt(() =>
        transactions.write(() => {
          const current = table.recordOf(lease.name)
          if (current !== undefined && isCurrent(current, lease)) table.keep({ ...current, released: true })
        }),
      ),
  }
}
