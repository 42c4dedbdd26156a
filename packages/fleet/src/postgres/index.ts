/** Where runs are kept when many machines write: a store on PostgreSQL. */
export { isPostgresUrl, postgresStore } from './postgres-store.ts'
export type { PostgresStoreOptions } from './postgres-store.ts'
