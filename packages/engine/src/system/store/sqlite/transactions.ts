import type { DatabaseSync } from 'node:sqlite'

export interface Transactions {
  /** All of the work or nothing, and no other writer beside it. Whatever it throws takes its changes back. */
  write<Result>(work: () => Result): Result
  /** The work sees one moment of the store, however much others write meanwhile. */
  read<Result>(work: () => Result): Result
}

export function transactions(database: DatabaseSync): Transactions {
  const beginWrite = database.prepare('BEGIN IMMEDIATE')
  const beginRead = database.prepare('BEGIN')
  const commit = database.prepare('COMMIT')

  function within<Result>(begin: typeof commit, work: () => Result): Result {
    begin.run()
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      takeBack(database)
      throw error
    }
  }

  return {
    write: (work) => within(beginWrite, work),
    read: (work) => within(beginRead, work),
  }
}

/** SQLite may have done so by itself, after a disk error; the first error is the one to report. */
function takeBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK')
  } catch {
    return
  }
}
