/** The floor: the same rows in the same transactions, with nothing of ours around them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface BareLog {
  /** One transaction. */
  append(rows: readonly string[]): void
  /** And all that was written to it. */
  remove(): void
}

/** In a database of its own. */
export function bareLog(): BareLog {
  const folder = mkdtempSync(join(tmpdir(), 'donecheck-bench-'))
  const database = new DatabaseSync(join(folder, 'bare.db'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(
    'CREATE TABLE events (run_id TEXT, sequence INTEGER, json TEXT NOT NULL, PRIMARY KEY (run_id, sequence)) WITHOUT ROWID',
  )
  const begin = database.prepare('BEGIN IMMEDIATE')
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?)')
  const commit = database.prepare('COMMIT')
  let sequence = 0
  return {
    append(rows) {
      begin.run()
      for (const row of rows) insert.run('run', (sequence += 1), row)
      commit.run()
    },
    remove() {
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Milliseconds that the appends take, one after the other. */
export function bareAppendsMs(appends: readonly (readonly string[])[]): number {
  const log = bareLog()
  try {
    const startedMs = performance.now()
    for (const rows of appends) log.append(rows)
    return performance.now() - startedMs
  } finally {
    log.remove()
  }
}
