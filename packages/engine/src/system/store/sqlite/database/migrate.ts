import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../../../base/index.ts'
import { rowOf } from './row.ts'
import { applicationId } from './schema.ts'
import { transactions } from './transactions.ts'

const idRow = { application_id: 'number' } as const
const versionRow = { user_version: 'number' } as const
const countRow = { count: 'number' } as const

/**
 * Refuses a file that is not ours to touch, without having touched it.
 * @throws {StoreError} for the database of another program and for a store of a newer version
 */
export function assertOurs(database: DatabaseSync, place: string, latestVersion: number): void {
  // One moment: another process may be making the tables just now.
  const { isOurs, version } = transactions(database).read(() => {
    const { application_id: id } = rowOf(idRow, database.prepare('PRAGMA application_id').get())
    return { isOurs: id === applicationId || (id === 0 && isEmpty(database)), version: versionOf(database) }
  })
  if (!isOurs) throw new StoreError(place, 'it is a database of another program: choose another store folder')
  if (version > latestVersion) throw newerVersion(place, version, latestVersion)
}

/**
 * Lifts the store to the latest version, all steps or none.
 * @param steps step n lifts version n - 1 to n
 * @throws {StoreError} when another process has made it newer meanwhile
 */
export function migrate(database: DatabaseSync, place: string, steps: readonly string[]): void {
  if (versionOf(database) === steps.length) return
  transactions(database).write(() => {
    const version = versionOf(database)
    if (version > steps.length) throw newerVersion(place, version, steps.length)
    for (const step of steps.slice(version)) database.exec(step)
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${steps.length}`)
  })
}

function versionOf(database: DatabaseSync): number {
  return rowOf(versionRow, database.prepare('PRAGMA user_version').get()).user_version
}

function isEmpty(database: DatabaseSync): boolean {
  return rowOf(countRow, database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()).count === 0
}

function newerVersion(place: string, version: number, latestVersion: number): StoreError {
  const ours = `this donecheck reads up to version ${latestVersion}`
  return new StoreError(
    place,
    `it has version ${version}; ${ours}: update donecheck, or choose another store folder`,
  )
}
