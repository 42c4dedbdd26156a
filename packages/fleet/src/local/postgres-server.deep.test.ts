import { expect, it } from 'vitest'
import { describeWithPostgres, queryAt } from '../../../../test/fleet/kit/postgres.ts'

describeWithPostgres('given a PostgreSQL from npm', (postgres) => {
  it('answers on loopback, and keeps what was committed through a kill', async () => {
    const { server, restart } = postgres()
    await queryAt(server.url, 'CREATE TABLE kept AS SELECT 1 AS one')
    await server.kill()
    const { url } = await restart()
    expect(url).toBe(server.url)
    expect(await queryAt(url, 'SELECT one FROM kept')).toEqual([{ one: 1 }])
  })
})
