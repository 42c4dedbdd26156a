import type { DatabaseSync } from 'node:sqlite'
import type { KeptQuestion } from '../../../ports/questions.ts'
import type {
  GoalRequests,
  HostSessionEntry,
  KeptGoalRequest,
  KeptHostSession,
} from '../../../ports/store.ts'
import type { HostSessionTable, LeaseRecord, LeaseTable } from '../rules/names.ts'
import {
  goalRequestOfText,
  goalRequestText,
  isOpenQuestion,
  questionOfText,
  type QuestionTable,
} from '../rules/questions.ts'
import { type Door, nameOfText, rowOf } from './door.ts'

const questionRow = { json: 'text' } as const

export function questionTable(database: DatabaseSync): QuestionTable {
  const selectOne = database.prepare('SELECT json FROM questions WHERE id = ?')
  const selectOpen = database.prepare('SELECT json FROM questions WHERE is_open = 1 ORDER BY asked_at_ms, id')
  const upsert = database.prepare(`
    INSERT INTO questions (id, run_id, asked_at_ms, is_open, json) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET is_open = excluded.is_open, json = excluded.json
  `)

  const questionOf = (row: unknown): KeptQuestion | undefined => questionOfText(rowOf(questionRow, row).json)

  return {
    find: (id) => {
      const row = selectOne.get(id)
      return row === undefined ? undefined : questionOf(row)
    },
    keep(question) {
      const { id, runId, askedAtMs } = question
      upsert.run(id, runId, askedAtMs, Number(isOpenQuestion(question)), JSON.stringify(question))
    },
    open: () => selectOpen.all().flatMap((row) => questionOf(row) ?? []),
  }
}

const requestRow = { number: 'number', json: 'text' } as const

export function sqliteGoalRequests({ database, attempt }: Door): GoalRequests {
  const insert = database.prepare(
    'INSERT INTO goal_requests (number, run_id, json) SELECT max(coalesce(max(number), 0), ?) + 1, ?, ? FROM goal_requests',
  )
  const select = database.prepare(
    'SELECT number, json FROM goal_requests WHERE run_id = ? AND number > ? ORDER BY number',
  )

  return {
    keepGoalRequest: (runId, request, answered = 0) =>
      attempt(() => Number(insert.run(answered, runId, goalRequestText(request)).lastInsertRowid)),
    goalRequests: (runId, after) =>
      attempt(() => select.all(runId, after).flatMap((row) => goalRequestOfRow(runId, row))),
  }
}

export function goalRequestOfRow(runId: string, row: unknown): readonly KeptGoalRequest[] {
  const { number, json } = rowOf(requestRow, row)
  const request = goalRequestOfText(json)
  return request === undefined ? [] : [{ number, runId, request }]
}

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

/** An invalid row is no session; its run is still found by id. */
export function sessionEntryOf(row: Record<string, unknown>): HostSessionEntry | undefined {
  const { run_id: runId, sequence, updated_at_ms: updatedAtMs } = row
  const key = nameOfText(row['key'])
  if (key === undefined || typeof runId !== 'string') return undefined
  if (typeof sequence !== 'number' || typeof updatedAtMs !== 'number') return undefined
  return { key, runId, sequence, updatedAtMs }
}

/** @param row its `latest` is the run's latest sequence number */
export function keptSessionOf(row: Record<string, unknown> | undefined): KeptHostSession | undefined {
  const entry = row === undefined ? undefined : sessionEntryOf(row)
  const { snapshot, latest } = row ?? {}
  if (entry === undefined || typeof snapshot !== 'string') return undefined
  return { ...entry, snapshot, latestSequence: typeof latest === 'number' ? latest : 0 }
}

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
