import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { assertKnownKeys, assertText, type OptionKeys } from '../../../base/index.ts'
import type { Attachment } from '../../../ports/checks.ts'
import type { Attachments, RememberedVerdicts, Store } from '../../../ports/store.ts'
import { type Door, doorTo, rowOf } from './door.ts'
import { sqliteEventLog, sqliteRunPages } from './event-log.ts'
import { inMemory, openDatabase } from './open-database.ts'
import { runTable, sqliteRunRows } from './runs.ts'
import { sqliteGoalRequests, sqliteHostSessions, sqliteLeases, sqliteQuestions } from './tables.ts'

interface SqliteStoreOptions {
  /** Created if missing, readable by its owner only. */
  readonly folder: string
  /** Milliseconds to wait for other writers. Default 5,000, because a hook must answer in time. */
  readonly busyTimeoutMs?: number
}

const sqliteStoreKeys: OptionKeys<SqliteStoreOptions> = { folder: 'needed', busyTimeoutMs: true }

/** Opens a store that processes may share. Acknowledged appends are on disk. @throws {StoreError} */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  assertKnownKeys(options, sqliteStoreKeys, 'openSqliteStore')
  const { folder, ...ofDatabase } = options
  assertText(folder, 'folder', `a path: openSqliteStore({ folder: '.donecheck' })`)
  const file = join(folder, 'store.sqlite')
  return sqliteStore(openDatabase(file, ofDatabase), file)
}

/** In-memory store for tests and runs that are never resumed. */
export function memoryStore(): Store {
  return { ...sqliteStore(openDatabase(inMemory), 'in memory'), folder: null }
}

/** @param place path of the database file, for messages and `folder` */
export function sqliteStore(database: DatabaseSync, place: string): Store {
  const door = doorTo(database, place)
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
    ...sqliteVerdicts(door),
    ...sessions,
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}

/** Loaded at first use: the schemas of events take longer to load than a hook may take. */
function sqliteVerdicts(door: Door): RememberedVerdicts {
  const inTable = () =>
    import('./remembered-verdicts.ts').then(({ rememberedVerdicts }) =>
      door.attempt(() => rememberedVerdicts(door)),
    )
  return {
    remember: async (key, verdict) => (await inTable()).remember(key, verdict),
    recall: async (key) => (await inTable()).recall(key),
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
