export { fleetClient, type FleetClient, type FleetRequest } from './coordinator/index.ts'
export { postgresStore, type PostgresStoreOptions } from './postgres/index.ts'
