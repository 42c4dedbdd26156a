export { memoryStore, openSqliteStore, sqliteStore } from './sqlite/sqlite-store.ts'

export { openDatabase } from './sqlite/open-database.ts'
export { readRow, rowOf } from './sqlite/door.ts'

export { exportRun, importRun } from './run-file.ts'

export { defaultStoreFolder, isInside } from './store-folder.ts'

export { observedStore } from './observed-store.ts'
export type { StoreObserver } from './observed-store.ts'
