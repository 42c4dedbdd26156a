import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../errors.ts'
import type { Attachments, EventLog, HostSessions, Leases, RecordKeeping, Store } from '../../ports.ts'
import { closedProblem, type Attempt } from '../attempt.ts'
import { sqliteAttachments } from './attachments.ts'
import { sqliteEventLog } from './event-log.ts'
import { storeFailure } from './failures.ts'
import { hostSessionTable, sqliteHostSessions } from './host-sessions.ts'
import { leaseTable } from './lease-table.ts'
import { sqliteLeases } from './leases.ts'
import { openDatabase } from './open-database.ts'
import { transactions } from './transactions.ts'

export type RideStore = EventLog &
  RecordKeeping &
  Leases &
  Attachments &
  HostSessions &
  Pick<Store, 'place' | 'folder' | 'close'>

/**
 * The same file without what only verifications need: for a process that lives for one event of a host. What it writes outlives
 * every process; with the power the latest may be lost, but for what a later verification has written after it.
 * @throws {StoreError} as `openSqliteStore` does
 */
export function openRideStore({ folder }: { readonly folder: string }): RideStore {
  const file = join(folder, 'store.sqlite')
  return rideStore(openDatabase(file, undefined, 'NORMAL'), file)
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
export function rideStore(database: DatabaseSync, place: string): RideStore {
  const attempt = attempts(database, place)
  const atomic = transactions(database)
  const leases = leaseTable(database)
  const sessions = hostSessionTable(database)
  const { sequenceOf, ...log } = sqliteEventLog(database, atomic, attempt, {
    leaseRecord: leases.recordOf,
    keepHostSession: sessions.keep,
  })
  return {
    place,
    folder: dirname(place),
    ...log,
    ...sqliteLeases(leases, atomic, attempt),
    ...sqliteAttachments(database, attempt),
    ...sqliteHostSessions(sessions, atomic, attempt, sequenceOf),
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}
