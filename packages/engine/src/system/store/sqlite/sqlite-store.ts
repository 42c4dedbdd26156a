import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { assertKnownKeys, assertText, type OptionKeys } from '../../../base/index.ts'
import type { Store } from '../../../ports/store.ts'
import { openDatabase } from './open-database.ts'
import { sqliteRememberedVerdicts } from './remembered-verdicts.ts'
import { attempts, sessionStore } from './session-store.ts'
import { transactions } from './transactions.ts'

export interface SqliteStoreOptions {
  /** Made when it is missing, readable by its owner alone. */
  readonly folder: string
  /** How long a write waits for those of other processes. Default 5 s, for a hook must answer before its agent loses patience. */
  readonly busyTimeoutMs?: number
}

const sqliteStoreKeys: OptionKeys<SqliteStoreOptions> = { folder: 'needed', busyTimeoutMs: true }

/**
 * One file that several processes may use at a time. Every append is on the disk before it is acknowledged.
 * @throws {StoreError} when the folder cannot be used, or what lies in it is no store or a newer one
 */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  assertKnownKeys(options, sqliteStoreKeys, 'openSqliteStore')
  const { folder, ...ofDatabase } = options
  assertText(folder, 'folder', `a path: openSqliteStore({ folder: '.donecheck' })`)
  const file = join(folder, 'store.sqlite')
  return sqliteStore(openDatabase(file, ofDatabase), file)
}

/** @param place the file's path, for messages */
export function sqliteStore(database: DatabaseSync, place: string): Store {
  const attempt = attempts(database, place)
  const atomic = transactions(database)
  return { ...sessionStore(database, place), ...sqliteRememberedVerdicts(database, atomic, attempt) }
}
