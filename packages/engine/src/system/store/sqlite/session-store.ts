import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../../base/index.ts'
import type {
  Attachments,
  EventLog,
  GoalRequests,
  HostSessions,
  Leases,
  RecordKeeping,
  RunPages,
  RunRows,
  Store,
  AcquireRequest,
  LeaseResult,
} from '../../../ports/store.ts'
import type { Attachment } from '../../../ports/checks.ts'
import type { Questions } from '../../../ports/questions.ts'
import { closedProblem, type Attempt } from '../attempt.ts'
import { questionsIn } from '../kept-questions.ts'
import { sqliteEventLog } from './event-log.ts'
import { storeFailure } from './failures.ts'
import { sqliteGoalRequests } from './goal-requests.ts'
import { hostSessionTable, sqliteHostSessions } from './host-sessions.ts'
import { leaseTable, type LeaseTable } from './lease-table.ts'
import { sqliteQuestionTable } from './question-table.ts'
import { sqliteRunPages } from './run-pages.ts'
import { runTable, sqliteRunRows } from './run-table.ts'
import { openDatabase } from './open-database.ts'
import { transactions, type Transactions } from './transactions.ts'
import { rowOf } from './row.ts'
import { decideAcquire, heldLease, isCurrent, renewLease } from '../lease-rules.ts'

export type SessionStore = EventLog &
  RecordKeeping &
  RunPages &
  Questions &
  Leases &
  Attachments &
  HostSessions &
  GoalRequests &
  RunRows &
  Pick<Store, 'place' | 'folder' | 'close'>

/**
 * The same file without what only verifications need: for a process that lives for one event of a host. What it writes outlives
 * every process; with the power the latest may be lost, but for what a later verification has written after it.
 * @throws {StoreError} as `openSqliteStore` does
 */
export function openSessionStore({ folder }: { readonly folder: string }): SessionStore {
  const file = join(folder, 'store.sqlite')
  return sessionStore(openDatabase(file, { synchronous: 'NORMAL' }), file)
}

/** The door of a store that lies in this database. */
export function attempts(database: DatabaseSync, place: string): Attempt {
  return async (work) => {
    if (!database.isOpen) throw new StoreError(place, closedProblem)
    try {
      return work()
    } catch (error) {
      throw storeFailure(place, error)
    }
  }
}

/** @param place the file's path, for messages */
export function sessionStore(database: DatabaseSync, place: string): SessionStore {
  const attempt = attempts(database, place)
  const atomic = transactions(database)
  const leases = leaseTable(database)
  const sessions = hostSessionTable(database)
  const runs = runTable(database)
  const { sequenceOf, ...log } = sqliteEventLog(database, atomic, attempt, {
    runs,
    leaseRecord: leases.recordOf,
    keepHostSession: sessions.keep,
  })
  return {
    place,
    folder: dirname(place),
    ...log,
    ...sqliteRunPages(database, runs, atomic, attempt),
    ...sqliteLeases(leases, atomic, attempt),
    ...sqliteAttachments(database, attempt),
    ...sqliteGoalRequests(database, attempt),
    ...questionsIn(sqliteQuestionTable(database, atomic), attempt),
    ...sqliteRunRows(database, atomic, attempt),
    ...sqliteHostSessions(sessions, atomic, attempt, sequenceOf),
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}

const attachmentRow = { digest: 'text', json: 'text' } as const
const digestRow = { digest: 'text' } as const

/** Contents lie as JSON texts: a text column cannot hold NUL or half a character, and outputs may have both. */
function sqliteAttachments(database: DatabaseSync, attempt: Attempt): Attachments {
  const insert = database.prepare(
    'INSERT INTO attachments (run_id, digest, json) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const selectOne = database.prepare('SELECT digest, json FROM attachments WHERE run_id = ? AND digest = ?')
  const selectAll = database.prepare('SELECT digest, json FROM attachments WHERE run_id = ? ORDER BY digest')
  const selectDigests = database.prepare('SELECT digest FROM attachments WHERE run_id = ? ORDER BY digest')
  const deleteThese = database.prepare(
    'DELETE FROM attachments WHERE run_id = ? AND digest IN (SELECT value FROM json_each(?))',
  )

  return {
    attach: (runId, { digest, content }) =>
      attempt(() => void insert.run(runId, digest, JSON.stringify(content))),
    attachment: (runId, digest) =>
      attempt(() => {
        const row = selectOne.get(runId, digest)
        return row === undefined ? undefined : attachmentOf(row)
      }),
    attachmentsOf: (runId) => attempt(() => selectAll.all(runId).map(attachmentOf)),
    attachmentDigests: (runId) =>
      attempt(() => selectDigests.all(runId).map((row) => rowOf(digestRow, row).digest)),
    detach: (runId, digests) => attempt(() => void deleteThese.run(runId, JSON.stringify(digests))),
  }
}

export function attachmentOf(row: unknown): Attachment {
  const { digest, json } = rowOf(attachmentRow, row)
  const content: unknown = JSON.parse(json)
  if (typeof content !== 'string') throw new TypeError(`what is attached as ${digest} is no text`)
  return { digest, content }
}

function sqliteLeases(table: LeaseTable, transactions: Transactions, attempt: Attempt): Leases {
  function acquire(request: AcquireRequest): LeaseResult {
    const result = decideAcquire(table.recordOf(request.name), request, Date.now())
    if (result.kind === 'held') table.keep({ lease: result.lease, released: false })
    return result
  }

  return {
    acquire: (request) => attempt(() => transactions.write(() => acquire(request))),
    renew: (lease, ttlMs) =>
      attempt(() =>
        transactions.write(() => {
          const next = renewLease(table.recordOf(lease.name), lease, Date.now() + ttlMs)
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
    leaseOf: (name) => attempt(() => heldLease(table.recordOf(name))),
  }
}
