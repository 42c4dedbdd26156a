import type { DatabaseSync } from 'node:sqlite'
import type { HostSessionEntry, KeptHostSession } from '../../../../ports/store.ts'
import type { HostSessionTable } from '../../rules/table-methods.ts'
import { nameOfText } from '../database/row.ts'

/** Statements are made when they are needed first. */
export function hostSessionTable(database: DatabaseSync): HostSessionTable {
  const prepareLazily = (sql: string) => {
    let statement: ReturnType<DatabaseSync['prepare']> | undefined
    return () => (statement ??= database.prepare(sql))
  }
  const select = prepareLazily(
    'SELECT *, (SELECT events FROM runs WHERE run_id = host_sessions.run_id) AS latest FROM host_sessions WHERE key = ?',
  )
  const selectAll = prepareLazily('SELECT key, run_id, sequence, updated_at_ms FROM host_sessions')
  const upsert = prepareLazily(
    'INSERT OR REPLACE INTO host_sessions (key, run_id, sequence, updated_at_ms, snapshot) VALUES (?, ?, ?, ?, ?)',
  )
  return {
    keep({ key, runId, sequence, updatedAtMs, snapshot }) {
      upsert().run(JSON.stringify(key), runId, sequence, updatedAtMs, snapshot)
    },
    of(key) {
      return keptSessionOf(select().get(JSON.stringify(key)))
    },
    all: () =>
      selectAll()
        .all()
        .flatMap((row) => sessionEntryOf(row) ?? []),
  }
}

/** A row that makes no sense is no session: its run can be found by its id all the same. */
export function sessionEntryOf(row: Record<string, unknown>): HostSessionEntry | undefined {
  const { run_id: runId, sequence, updated_at_ms: updatedAtMs } = row
  const key = nameOfText(row['key'])
  if (key === undefined || typeof runId !== 'string') return undefined
  if (typeof sequence !== 'number' || typeof updatedAtMs !== 'number') return undefined
  return { key, runId, sequence, updatedAtMs }
}

/** @param row with the sequence number of its run's latest event as `latest` */
export function keptSessionOf(row: Record<string, unknown> | undefined): KeptHostSession | undefined {
  const entry = row === undefined ? undefined : sessionEntryOf(row)
  const { snapshot, latest } = row ?? {}
  if (entry === undefined || typeof snapshot !== 'string') return undefined
  return { ...entry, snapshot, latestSequence: typeof latest === 'number' ? latest : 0 }
}
