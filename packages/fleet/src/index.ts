/** Runs over many machines: the record that they share, and how a program gives runs to them. */
export { fleetClient, type FleetClient, type FleetRequest } from './coordinator/index.ts'
export { postgresStore, type PostgresStoreOptions } from './postgres/index.ts'
