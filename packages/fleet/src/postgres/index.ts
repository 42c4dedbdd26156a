export { isPostgresUrl, postgresStore, type PostgresStoreOptions } from './postgres-store.ts'
