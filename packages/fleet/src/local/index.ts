/** A fleet on one machine, for trying. */
export { freePort } from './server-process.ts'
export { startPostgres, type PostgresServer, type PostgresServerOptions } from './postgres-server.ts'
export { startRestate, type RestateServer, type RestateServerOptions } from './restate-server.ts'
