import type { Lease, LeaseHolder, Leases } from '@donecheck/engine/internal/ports/store'
import type { Database, Rows } from './connection.ts'
import { randomUUID } from 'node:crypto'
import {
  decideAcquire,
  heldLease,
  isCurrent,
  leaseRecordOf,
  renewLease,
  type LeaseRecord,
} from '@donecheck/engine/internal/system/store/parts'
import { holderOf } from '@donecheck/engine/internal/system/process'
import { rowOf } from '@donecheck/engine/store'

/** Folders are per machine; all other names are per tenant. */
export function leaseKey(name: string, { host }: Pick<LeaseHolder, 'host'>): string {
  return name.startsWith('folder ') ? `${name} on ${host}` : name
}

export function leaseRecordIn(rows: Rows, { name, holder }: Lease): Promise<LeaseRecord | undefined> {
  return recordIn(rows, leaseKey(name, holder))
}

async function recordIn(rows: Rows, key: string): Promise<LeaseRecord | undefined> {
  const [row] = await rows(
    'SELECT name, fence, expires_at_ms, released, host, process_id, process_start, purpose FROM donecheck.leases WHERE key = $1',
    [key],
  )
  return row === undefined ? undefined : leaseRecordOf(row)
}

const clockRow = { now_ms: 'number' } as const

async function nowIn(rows: Rows): Promise<number> {
  const [row] = await rows('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms')
  return rowOf(clockRow, row).now_ms
}

interface KnownLease {
  readonly key: string
  readonly current: LeaseRecord | undefined
}

export function postgresLeases({ rows: ask, locked }: Database): Leases {
  const within = <Value>(
    { name, holder }: Pick<Lease, 'name' | 'holder'>,
    work: (rows: Rows, known: KnownLease) => Promise<Value>,
  ) => {
    const key = leaseKey(name, holder)
    return locked(`lease ${key}`, async (rows) => work(rows, { key, current: await recordIn(rows, key) }))
  }
  return {
    acquire(asked) {
      // Recognizes the request if its response was lost.
      const request = randomUUID()
      return within(asked, async (rows, { key, current }) => {
        if (current !== undefined && (await isOfRequest(rows, key, request)))
          return { kind: 'held', lease: current.lease }
        const result = decideAcquire(current, asked, await nowIn(rows))
        if (result.kind === 'held') await keep(rows, key, result.lease, request)
        return result
      })
    },
    renew: (lease, ttlMs) =>
      within(lease, async (rows, { key, current }) => {
        const next = renewLease(current, lease, (await nowIn(rows)) + ttlMs)
        if (next !== undefined)
          await rows('UPDATE donecheck.leases SET expires_at_ms = $2 WHERE key = $1', [key, next.expiresAtMs])
        return next
      }),
    release: (lease) =>
      within(lease, async (rows, { key, current }) => {
        if (current !== undefined && isCurrent(current, lease))
          await rows('UPDATE donecheck.leases SET released = 1 WHERE key = $1', [key])
      }),
    leaseOf: async (name) => heldLease(await recordIn(ask, leaseKey(name, holderOf(process.pid, '')))),
  }
}

async function isOfRequest(rows: Rows, key: string, request: string): Promise<boolean> {
  const found = await rows('SELECT FROM donecheck.leases WHERE key = $1 AND request = $2 AND released = 0', [
    key,
    request,
  ])
  return found.length > 0
}

/** The row stays after its release, so that its fence is never reused. */
async function keep(
  rows: Rows,
  key: string,
  { name, holder, ...lease }: Lease,
  request: string,
): Promise<void> {
  const { host, processId, processStart, purpose } = holder
  await rows(
    `INSERT INTO donecheck.leases (key, name, fence, expires_at_ms, released, host, process_id, process_start, purpose, request)
     VALUES ($1, $2, $3, $4, 0, $5, $6, $7, $8, $9)
     ON CONFLICT (tenant, key) DO UPDATE SET fence = excluded.fence, expires_at_ms = excluded.expires_at_ms, released = 0,
       host = excluded.host, process_id = excluded.process_id, process_start = excluded.process_start,
       purpose = excluded.purpose, request = excluded.request`,
    [key, name, lease.fence, lease.expiresAtMs, host, processId, processStart, purpose, request],
  )
}
