import pg from 'pg'
import { expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../test/fleet/kit/postgres.ts'

async function answerOf(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(sql)
  await client.end()
  return rows
}

describeWithPostgres('given a PostgreSQL from npm', (postgres) => {
  it('answers on loopback, and keeps what was committed through a kill', async () => {
    const { server, restart } = postgres()
    await answerOf(server.url, 'CREATE TABLE kept AS SELECT 1 AS one')
    await server.kill()
    const { url } = await restart()
    expect(url).toBe(server.url)
    expect(await answerOf(url, 'SELECT one FROM kept')).toEqual([{ one: 1 }])
  })
})
