import type { DatabaseSync } from 'node:sqlite'
import { storeFailure } from './failures.ts'
import { loadSqlite } from './load-sqlite.ts'
import { assertOurs, migrate } from './migrate.ts'
import { ensurePrivateFile } from './private-file.ts'
import { migrations } from './schema.ts'

/** How long one transaction waits for the writer of another process. */
const busyTimeoutMs = 5_000

/** Of a process that lives for one event: it is alone with the file most of the time, and then reads all loose pages anew. */
const mostLoosePages = 200

/**
 * `FULL`: a commit reaches the disk before it is acknowledged, so that an event that was told is never lost. `NORMAL`: it outlives
 * every process, and the latest may be lost with the power.
 */
export type Synchronous = 'FULL' | 'NORMAL'

/**
 * @param steps for tests of migrations alone
 * @throws {StoreError} when the file cannot be opened, is no store, or is a newer one
 */
export function openDatabase(
  file: string,
  steps: readonly string[] = migrations,
  synchronous: Synchronous = 'FULL',
): DatabaseSync {
  const sqlite = loadSqlite(file)
  ensurePrivateFile(file)
  const database = connect(sqlite, file)
  try {
    assertOurs(database, file, steps.length)
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`)
    if (synchronous === 'NORMAL') database.exec(`PRAGMA wal_autocheckpoint = ${mostLoosePages}`)
    migrate(database, file, steps)
    return database
  } catch (error) {
    database.close()
    throw storeFailure(file, error)
  }
}

function connect(sqlite: ReturnType<typeof loadSqlite>, file: string): DatabaseSync {
  try {
    return new sqlite.DatabaseSync(file, { timeout: busyTimeoutMs })
  } catch (error) {
    throw storeFailure(file, error)
  }
}
