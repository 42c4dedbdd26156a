import type { DatabaseSync } from 'node:sqlite'
import type { KeptQuestion, Questions } from '../../../ports/questions.ts'
import type {
  GoalRequests,
  HostSession,
  HostSessionEntry,
  HostSessions,
  KeptGoalRequest,
  KeptHostSession,
  Lease,
  Leases,
} from '../../../ports/store.ts'
import { decideAcquire, heldLease, isCurrent, type LeaseRecord, renewLease } from '../rules/names.ts'
import {
  answerTo,
  goalRequestOfText,
  goalRequestText,
  isOpenQuestion,
  questionOfText,
  questionToKeep,
} from '../rules/questions.ts'
import { type Door, nameOfText, rowOf } from './door.ts'

const questionRow = { json: 'text' } as const

export function sqliteQuestions({ database, attempt, attemptWrite }: Door): Questions {
  const selectOne = database.prepare('SELECT json FROM questions WHERE id = ?')
  const selectOpen = database.prepare('SELECT json FROM questions WHERE is_open = 1 ORDER BY asked_at_ms, id')
  const upsert = database.prepare(`
    INSERT INTO questions (id, run_id, asked_at_ms, is_open, json) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET is_open = excluded.is_open, json = excluded.json
  `)

  const questionOf = (row: unknown): KeptQuestion | undefined => questionOfText(rowOf(questionRow, row).json)

  /** @returns undefined if missing or unreadable: it is asked again */
  function find(id: string): KeptQuestion | undefined {
    const row = selectOne.get(id)
    return row === undefined ? undefined : questionOf(row)
  }

  function keep(question: KeptQuestion): void {
    const { id, runId, askedAtMs } = question
    upsert.run(id, runId, askedAtMs, Number(isOpenQuestion(question)), JSON.stringify(question))
  }

  return {
    keepQuestion: (asked) =>
      attemptWrite(() => {
        const before = find(asked.id)
        const question = questionToKeep(before, asked)
        if (question !== before) keep(question)
        return question
      }),
    question: (id) => attempt(() => find(id)),
    openQuestions: () => attempt(() => selectOpen.all().flatMap((row) => questionOf(row) ?? [])),
    answerQuestion: (id, answer) =>
      attemptWrite(() => {
        const { result, changed } = answerTo(find(id), answer)
        if (changed !== undefined) keep(changed)
        return result
      }),
    withdrawQuestion: (id) =>
      attemptWrite(() => {
        const question = find(id)
        if (question !== undefined && isOpenQuestion(question)) keep({ ...question, isWithdrawn: true })
      }),
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

interface HostSessionTable extends HostSessions {
  /** Within a transaction of the caller. */
  readonly keep: (session: HostSession) => void
}

/** @param sequenceOf latest event of a run */
export function sqliteHostSessions(
  { database, attempt, attemptWrite }: Door,
  sequenceOf: (runId: string) => number,
): HostSessionTable {
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
  const keep: HostSessionTable['keep'] = ({ key, runId, sequence, updatedAtMs, snapshot }) =>
    void upsert().run(JSON.stringify(key), runId, sequence, updatedAtMs, snapshot)
  return {
    keep,
    hostSession: (key) => attempt(() => keptSessionOf(select().get(JSON.stringify(key)))),
    hostSessions: () =>
      attempt(() => {
        const rows = selectAll().all()
        return rows.flatMap((row) => sessionEntryOf(row) ?? []).sort(latestSessionFirst)
      }),
    keepHostSession: (session) =>
      attemptWrite(() => {
        if (sequenceOf(session.runId) !== session.sequence) return false
        keep(session)
        return true
      }),
  }
}

function latestSessionFirst(one: HostSessionEntry, other: HostSessionEntry): number {
  if (one.updatedAtMs !== other.updatedAtMs) return other.updatedAtMs - one.updatedAtMs
  return one.key < other.key ? -1 : 1
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

interface LeaseTable extends Leases {
  readonly recordOf: (name: string) => LeaseRecord | undefined
}

/** One row per name, never deleted, because fences must not repeat. */
export function sqliteLeases({ database, attempt, attemptWrite }: Door): LeaseTable {
  const select = database.prepare('SELECT * FROM leases WHERE name = ?')
  const upsert = database.prepare(`
    INSERT OR REPLACE INTO leases
      (name, fence, expires_at_ms, released, host, process_id, process_start, purpose)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  `)

  function recordOf(name: string): LeaseRecord | undefined {
    const row = select.get(name)
    return row === undefined ? undefined : leaseRecordOf(row)
  }

  function keep({ name, fence, expiresAtMs, holder }: Lease, isReleased = false): void {
    const { host, processId, processStart, purpose } = holder
    upsert.run(name, fence, expiresAtMs, Number(isReleased), host, processId, processStart, purpose)
  }

  return {
    recordOf,
    acquire: (request) =>
      attemptWrite(() => {
        const result = decideAcquire(recordOf(request.name), request, Date.now())
        if (result.kind === 'held') keep(result.lease)
        return result
      }),
    renew: (lease, ttlMs) =>
      attemptWrite(() => {
        const next = renewLease(recordOf(lease.name), lease, Date.now() + ttlMs)
        if (next !== undefined) keep(next)
        return next
      }),
    release: (lease) =>
      attemptWrite(() => {
        const current = recordOf(lease.name)
        if (current !== undefined && isCurrent(current, lease)) keep(current.lease, true)
      }),
    leaseOf: (name) => attempt(() => heldLease(recordOf(name))),
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
