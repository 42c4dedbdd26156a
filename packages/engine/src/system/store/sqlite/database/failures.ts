/** What SQLite and the file system say, in words that name the place and the way out. */
import { StoreError, messageOf } from '../../../../base/index.ts'

interface SqliteFailure extends Error {
  /** SQLite's extended result code; the primary one is its lowest byte. */
  readonly errcode: number
}

/** By SQLite's primary result code. */
const problems: Readonly<Record<number, string>> = {
  5: 'another process keeps it busy: try again when that has finished',
  8: 'it cannot be written: mend the permissions of its folder and files, or choose another store folder',
  10: 'the disk failed to read or write: check the disk and its free space; what was recorded before is kept',
  11: 'the file is damaged: move it away and go on with a new one; `sqlite3 FILE .recover` may save what is in it',
  13: 'the disk is full: free some space and try again; what was recorded before is kept',
  14: 'it cannot be opened: mend the permissions of its folder and files, or choose another store folder',
  26: 'the file is not a database: move it away, or choose another store folder',
}

/** Anything that SQLite did not say comes back as it is. */
export function storeFailure(place: string, error: unknown): unknown {
  if (!isSqliteFailure(error)) return error
  const problem = problems[error.errcode & 0xff]
  const said = `SQLite says "${error.message}" (code ${error.errcode})`
  return new StoreError(place, problem === undefined ? said : `${problem}. ${said}`, { cause: error })
}

function isSqliteFailure(error: unknown): error is SqliteFailure {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}

/** For what the file system refuses, before SQLite is asked. */
export function fileFailure(place: string, error: unknown): StoreError {
  const said = messageOf(error)
  const wayOut = 'mend its path and permissions, or choose another store folder'
  return new StoreError(place, `it cannot be created or protected: ${said}: ${wayOut}`, { cause: error })
}
