/** The floor: the same rows in the same transactions, with nothing of ours around them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Runs the appends, one transaction each, in a database of its own; returns the milliseconds that they took. */
export function bareAppendsMs(appends: readonly (readonly string[])[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'donecheck-bench-'))
  const database = new DatabaseSync(join(folder, 'bare.db'))
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    database.exec(
      'CREATE TABLE events (run_id TEXT, sequence INTEGER, json TEXT NOT NULL, PRIMARY KEY (run_id, sequence)) WITHOUT ROWID',
    )
    const begin = database.prepare('BEGIN IMMEDIATE')
    const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?)')
    const commit = database.prepare('COMMIT')
    let sequence = 0
    const startedMs = performance.now()
    for (const rows of appends) {
      begin.run()
      for (const row of rows) insert.run('run', (sequence += 1), row)
      commit.run()
    }
    return performance.now() - startedMs
  } finally {
    database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
