import type { DatabaseSync } from 'node:sqlite'
import { jsonOf, messageOf, StoreError } from '../../../base/index.ts'
import { closedProblem } from '../rules/names.ts'

/** Runs every store method, so that errors are uniform. Rejects with `StoreError` if closed or broken. */
type Attempt = <Result>(work: () => Result) => Promise<Result>
type Atomically = <Result>(work: () => Result) => Result

export interface Door {
  readonly database: DatabaseSync
  readonly place: string
  readonly attempt: Attempt
  /** As `attempt`, in one exclusive transaction. */
  readonly attemptWrite: Attempt
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
  const both = transactions(database)
  const attemptWrite: Attempt = (work) => attempt(() => both.write(work))
  return { database, place, attempt, attemptWrite, transactions: both }
}

interface Transactions {
  /** Runs the work in one exclusive transaction. A throw rolls it back. */
  readonly write: Atomically
  /** Runs the work on one snapshot of the store. */
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

/** SQLite may already have rolled back after a disk error; the first error counts. */
function takeBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK')
  } catch {
    return
  }
}

interface SqliteFailure extends Error {
  /** SQLite's extended result code; the lowest byte is the primary one. */
  readonly errcode: number
}

const problems: Readonly<Record<number, string>> = {
  5: 'another process keeps it busy: try again when that has finished',
  8: 'it cannot be written: mend the permissions of its folder and files, or choose another store folder',
  10: 'the disk failed to read or write: check the disk and its free space; what was recorded before is kept',
  11: 'the file is damaged: move it away and go on with a new one; `sqlite3 FILE .recover` may save what is in it',
  13: 'the disk is full: free some space and try again; what was recorded before is kept',
  14: 'it cannot be opened: mend the permissions of its folder and files, or choose another store folder',
  26: 'the file is not a database: move it away, or choose another store folder',
}

/** Returns other errors unchanged. */
export function storeFailure(place: string, error: unknown): unknown {
  if (!isSqliteFailure(error)) return error
  const problem = problems[error.errcode & 0xff]
  const said = `SQLite says "${error.message}" (code ${error.errcode})`
  return new StoreError(place, problem === undefined ? said : `${problem}. ${said}`, { cause: error })
}

function isSqliteFailure(error: unknown): error is SqliteFailure {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}

export function fileFailure(place: string, error: unknown): StoreError {
  const said = messageOf(error)
  const wayOut = 'mend its path and permissions, or choose another store folder'
  return new StoreError(place, `it cannot be created or protected: ${said}: ${wayOut}`, { cause: error })
}

interface Columns {
  readonly text: string
  readonly number: number
  readonly 'text or null': string | null
}

type Shape = Readonly<Record<string, keyof Columns>>

export type Row<Of extends Shape> = { readonly [Name in keyof Of]: Columns[Of[Name]] }

/** Parses a row. @returns undefined if it has another shape */
export function readRow<const Of extends Shape>(shape: Of, row: unknown): Row<Of> | undefined {
  if (typeof row !== 'object' || row === null) return undefined
  const given: Readonly<Record<string, unknown>> = { ...row }
  const isRight = Object.entries(shape).every(([name, kind]) => isOf(kind, given[name]))
  return isRight ? (given as Row<Of>) : undefined
}

/** @throws {TypeError} for a row of another shape */
export function rowOf<const Of extends Shape>(shape: Of, row: unknown): Row<Of> {
  const read = readRow(shape, row)
  if (read === undefined)
    throw new TypeError(`a row of the store has not the columns ${Object.keys(shape).join(', ')}`)
  return read
}

function isOf(kind: keyof Columns, value: unknown): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'text or null':
      return typeof value === 'string' || value === null
  }
}

/** Names are stored as JSON texts to preserve them exactly. @returns undefined if invalid */
export function nameOfText(text: unknown): string | undefined {
  const name = typeof text === 'string' ? jsonOf(text) : undefined
  return typeof name === 'string' ? name : undefined
}
