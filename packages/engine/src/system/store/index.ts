/** Where runs are kept: events, leases, attachments and remembered verdicts, in memory or in one file per project. */

// stores
export { memoryStore, openSqliteStore } from './sqlite/sqlite-store.ts'
export { openSessionStore } from './sqlite/session-store.ts'
export type { SessionStore } from './sqlite/session-store.ts'

// a file of one's own beside it
export { openDatabase } from './sqlite/open-database.ts'
export { readRow, rowOf } from './sqlite/door.ts'

// one run as a file
export { exportRun, importRun } from './run-file.ts'

// where it lies
export { defaultStoreFolder, isInside } from './store-folder.ts'

// who sees what is appended
export { observedStore } from './observed-store.ts'
export type { StoreObserver } from './observed-store.ts'
