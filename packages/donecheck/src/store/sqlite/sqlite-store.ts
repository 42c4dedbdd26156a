import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../errors.ts'
import type { Store } from '../../ports.ts'
import { closedProblem, type Attempt } from '../attempt.ts'
import { sqliteAttachments } from './attachments.ts'
import { sqliteEventLog } from './event-log.ts'
import { storeFailure } from './failures.ts'
import { leaseTable } from './lease-table.ts'
import { sqliteLeases } from './leases.ts'
import { openDatabase } from './open-database.ts'
import { sqliteRememberedVerdicts } from './remembered-verdicts.ts'
import { transactions } from './transactions.ts'

export interface SqliteStoreOptions {
  /** Made when it is missing, readable by its owner alone. */
  readonly folder: string
}

/**
 * One file that several processes may use at a time. Every append is on the disk before it is acknowledged.
 * @throws {StoreError} when the folder cannot be used, or what lies in it is no store or a newer one
 */
export function openSqliteStore({ folder }: SqliteStoreOptions): Store {
  const file = join(folder, 'store.sqlite')
  return sqliteStore(openDatabase(file), file)
}

/** @param place the file's path, for messages */
export function sqliteStore(database: DatabaseSync, place: string): Store {
  const attempt: Attempt = async (work) => {
    if (!database.isOpen) throw new StoreError(place, closedProblem)
    try {
      return work()
    } catch (error) {
      throw storeFailure(place, error)
    }
  }
  const atomic = transactions(database)
  const leases = leaseTable(database)
  return {
    place,
    folder: dirname(place),
    ...sqliteEventLog(database, atomic, attempt, leases.recordOf),
    ...sqliteLeases(leases, atomic, attempt),
    ...sqliteAttachments(database, attempt),
    ...sqliteRememberedVerdicts(database, atomic, attempt),
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}
