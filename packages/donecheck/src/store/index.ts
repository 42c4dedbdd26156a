/** Where runs are kept: events, leases, attachments and remembered verdicts, in memory or in one file per project. */

// stores
export { memoryStore } from './memory/memory-store.ts'
export { openSqliteStore } from './sqlite/sqlite-store.ts'
export type { SqliteStoreOptions } from './sqlite/sqlite-store.ts'
export { openRideStore } from './sqlite/ride-store.ts'
export type { RideStore } from './sqlite/ride-store.ts'

// one run as a file
export { exportRun } from './jsonl/export-run.ts'
export { importRun } from './jsonl/import-run.ts'
export type { ImportResult } from './jsonl/import-run.ts'

// where it lies
export { defaultStoreFolder, isInside } from './place.ts'
export type { StorePlace } from './place.ts'

// who holds it
