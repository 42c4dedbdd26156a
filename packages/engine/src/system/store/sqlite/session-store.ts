import { dirname, join } from 'node:path'
import type { Attachments, RememberedVerdicts, Store } from '../../../ports/store.ts'
import type { Attachment } from '../../../ports/checks.ts'
import { sqliteGoalRequests, sqliteHostSessions, sqliteLeases, sqliteQuestions } from './tables.ts'
import { sqliteEventLog, sqliteRunPages } from './event-log.ts'
import { openDatabase } from './open-database.ts'
import { type Door, doorTo, rowOf } from './door.ts'
import { runTable, sqliteRunRows } from './runs.ts'

export type SessionStore = Omit<Store, keyof RememberedVerdicts>

/**
 * The store without tables of verifications, for short hook processes. A power loss may lose the latest
 * writes.
 * @throws {StoreError} as `openSqliteStore`
 */
export function openSessionStore({ folder }: { readonly folder: string }): SessionStore {
  const file = join(folder, 'store.sqlite')
  return sessionStore(doorTo(openDatabase(file, { synchronous: 'NORMAL' }), file))
}

export function sessionStore(door: Door): SessionStore {
  const { database, place } = door
  const runs = runTable(database)
  const { recordOf: leaseRecord, ...leases } = sqliteLeases(door)
  const { keep: keepHostSession, ...sessions } = sqliteHostSessions(
    door,
    (runId) => runs.summaryOf(runId)?.events ?? 0,
  )
  return {
    place,
    folder: dirname(place),
    ...sqliteEventLog(door, { runs, leaseRecord, keepHostSession }),
    ...sqliteRunPages(door, runs),
    ...leases,
    ...sqliteAttachments(door),
    ...sqliteGoalRequests(door),
    ...sqliteQuestions(door),
    ...sqliteRunRows(door),
    ...sessions,
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}

const attachmentRow = { digest: 'text', json: 'text' } as const
const digestRow = { digest: 'text' } as const

/** Stored as JSON texts, because text columns lose NUL and lone surrogates. */
function sqliteAttachments({ database, attempt }: Door): Attachments {
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
