/** Where runs are kept when many machines write: a store on PostgreSQL. */
export { isPostgresUrl, postgresStore, type PostgresStoreOptions } from './postgres-store.ts'
