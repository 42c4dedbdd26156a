import type { DatabaseSync } from 'node:sqlite'
import type { LeaseRecord } from '../../rules/lease-rules.ts'
import type { LeaseTable } from '../../rules/table-methods.ts'
import { rowOf } from '../database/row.ts'

const leaseRow = {
  name: 'text',
  fence: 'number',
  expires_at_ms: 'number',
  released: 'number',
  host: 'text',
  process_id: 'number',
  process_start: 'text or null',
  purpose: 'text',
} as const

export function leaseTable(database: DatabaseSync): LeaseTable {
  const select = database.prepare('SELECT * FROM leases WHERE name = ?')
  const upsert = database.prepare(`
    INSERT OR REPLACE INTO leases
      (name, fence, expires_at_ms, released, host, process_id, process_start, purpose)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  `)
  return {
    recordOf(name) {
      const row = select.get(name)
      return row === undefined ? undefined : leaseRecordOf(row)
    },
    keep({ lease, released }) {
      const { host, processId, processStart, purpose } = lease.holder
      const { name, fence, expiresAtMs } = lease
      upsert.run(name, fence, expiresAtMs, released ? 1 : 0, host, processId, processStart, purpose)
    },
  }
}

export function leaseRecordOf(row: unknown): LeaseRecord {
  const found = rowOf(leaseRow, row)
  return {
    released: found.released !== 0,
    lease: {
      name: found.name,
      fence: found.fence,
      expiresAtMs: found.expires_at_ms,
      holder: {
        host: found.host,
        processId: found.process_id,
        processStart: found.process_start,
        purpose: found.purpose,
      },
    },
  }
}
