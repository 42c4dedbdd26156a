import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../../../base/index.ts'
import { closedProblem, type Atomically, type Attempt } from '../../rules/table-methods.ts'
import { storeFailure } from './failures.ts'

/** A database and how it is worked with. */
export interface Door {
  readonly database: DatabaseSync
  /** The file's path, for messages. */
  readonly place: string
  readonly attempt: Attempt
  readonly transactions: Transactions
}

export function doorTo(database: DatabaseSync, place: string): Door {
  const attempt: Attempt = async (work) => {
    if (!database.isOpen) throw new StoreError(place, closedProblem)
    try {
      return work()
    } catch (error) {
      throw storeFailure(place, error)
    }
  }
  return { database, place, attempt, transactions: transactions(database) }
}

export interface Transactions {
  /** All of the work or nothing, and no other writer beside it. Whatever it throws takes its changes back. */
  readonly write: Atomically
  /** The work sees one moment of the store, however much others write meanwhile. */
  readonly read: Atomically
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
