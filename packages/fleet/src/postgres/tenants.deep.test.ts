/** Many tenants in one database: isolation, migrations by any of them, and wake-ups. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { sampleTurns } from '@donecheck/core/testing'
import { thisHolder } from '@donecheck/engine/internal/system/process'
import { UsageError } from '@donecheck/engine/internal/base'
import { connectionTo, describeWithPostgres, queryAt } from '../../../../test/fleet/kit/postgres.ts'
import { postgresStore } from './postgres-store.ts'

const events = sampleTurns(2)

describeWithPostgres('given a PostgreSQL of several tenants', (postgres) => {
  const urlOf = (changes: {
    readonly user?: string
    readonly password?: string
    readonly database?: string
  }) => {
    const url = new URL(postgres().server.url)
    url.username = changes.user ?? url.username
    url.password = changes.password ?? url.password
    url.pathname = changes.database ?? url.pathname
    return url.href
  }
  const asOwner = (sql: string) => queryAt(postgres().server.url, sql)
  const databaseOf = async () => {
    const database = `d${randomUUID().replaceAll('-', '')}`
    await asOwner(`CREATE DATABASE ${database}`)
    return urlOf({ database })
  }

  it('raw SQL of a login of one sees and writes nothing of another, whatever it says of itself', async () => {
    for (const tenant of ['acme', 'other']) {
      const store = await postgresStore({ url: urlOf({}), tenant })
      await store.append(0, events, null)
      await store.attach('run-1', { digest: 'd1', content: tenant })
      await store.acquire({ name: 'run run-1', holder: thisHolder(tenant), ttlMs: 60_000 })
      await store.close()
    }
    await asOwner(
      `CREATE ROLE donecheck_tenant_acme LOGIN PASSWORD 'secret of acme' IN ROLE donecheck_tenant`,
    )
    const url = urlOf({ user: 'donecheck_tenant_acme', password: 'secret of acme' })
    const raw = (sql: string) => queryAt(url, `SET donecheck.tenant = 'other'; ${sql}`)

    const tables = await asOwner(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'donecheck' AND tablename <> 'version'`,
    )
    expect(tables.length).toBe(9)
    for (const { name } of tables)
      expect(
        await raw(`SELECT 1 FROM donecheck.${String(name)} WHERE tenant <> 'acme'`),
        String(name),
      ).toEqual([])
    expect(await raw('SELECT json FROM donecheck.attachments')).toEqual([{ json: '"acme"' }])
    for (const change of [
      `UPDATE donecheck.events SET json = '' WHERE tenant = 'other' RETURNING 1`,
      `DELETE FROM donecheck.runs WHERE tenant = 'other' RETURNING 1`,
    ])
      expect(await raw(change), change).toEqual([])
    for (const [change, refusal] of [
      [
        `INSERT INTO donecheck.run_rows (tenant, run_id, events, text) VALUES ('other', 'r', 1, '')`,
        'row-level security',
      ],
      [`UPDATE donecheck.runs SET tenant = 'other'`, 'row-level security'],
      [`ALTER TABLE donecheck.runs DISABLE ROW LEVEL SECURITY`, 'must be owner'],
      [`UPDATE donecheck.version SET version = 0`, 'permission denied'],
      [`SET ROLE postgres`, 'permission denied'],
    ] as const)
      await expect(raw(change), change).rejects.toThrow(refusal)

    const own = await postgresStore({ url, tenant: 'acme' })
    expect(await own.read('run-1')).toEqual(events)
    await own.close()
    await expect(postgresStore({ url, tenant: 'other' })).rejects.toThrow('is one of tenant acme')
    const other = await postgresStore({ url: urlOf({}), tenant: 'other' })
    expect(await other.read('run-1')).toEqual(events)
    await other.close()
  })

  it('a folder of another machine is another folder; a run is one run everywhere', async () => {
    const store = await postgresStore({ url: urlOf({}), tenant: randomUUID() })
    const holder = thisHolder('a test')
    const asked = (name: string, host: string) =>
      store.acquire({ name, holder: { ...holder, host }, ttlMs: 60_000 })
    expect(await asked('folder /srv/tree', 'one')).toMatchObject({ kind: 'held' })
    expect(await asked('folder /srv/tree', 'two')).toMatchObject({
      kind: 'held',
      lease: { name: 'folder /srv/tree' },
    })
    expect(await asked('folder /srv/tree', 'one')).toMatchObject({ kind: 'taken' })
    expect(await asked('run run-1', 'one')).toMatchObject({ kind: 'held' })
    expect(await asked('run run-1', 'two')).toMatchObject({ kind: 'taken' })
    await store.close()
  })

  it('whoever may not make the tables is told so, and no message and no place has a password', async () => {
    const database = await databaseOf()
    await asOwner(`CREATE ROLE poor LOGIN PASSWORD 'secret of poor'`)
    const url = urlOf({ user: 'poor', password: 'secret of poor', database: new URL(database).pathname })
    await expect(postgresStore({ url })).rejects.toThrow('permission denied')
    const wrong = postgresStore({ url: urlOf({ user: 'poor', password: 'not the secret' }) })
    await expect(wrong).rejects.toThrow('password authentication failed')
    await expect(wrong).rejects.not.toThrow('not the secret')
    await expect(postgresStore({ url: 'postgres://me:hidden@[' })).rejects.not.toThrow('hidden')
    await expect(postgresStore({ url: database, tenant: 'a b' })).rejects.toThrow(UsageError)
    const store = await postgresStore({ url: `${database}?tenant=acme` })
    expect(store.place).toBe(
      `postgres://postgres@127.0.0.1:${postgres().server.port}${new URL(database).pathname}?tenant=acme`,
    )
    await store.close()
  })

  it('whoever follows is woken by what another process writes, over a new connection too, and not by other tenants', async () => {
    const [tenant, url] = [randomUUID(), urlOf({})]
    const [reader, writer, stranger] = await Promise.all([
      postgresStore({ url, tenant }),
      postgresStore({ url, tenant }),
      postgresStore({ url, tenant: randomUUID() }),
    ])
    let [calls, strange] = [0, 0]
    reader.onChange?.(() => (calls += 1))
    stranger.onChange?.(() => (strange += 1))
    // Called once each at the start; earlier changes are not reported.
    await expect.poll(() => [calls, strange]).toEqual([1, 1])
    await writer.append(0, events.slice(0, 2), null)
    await expect.poll(() => calls).toBe(2)
    await asOwner("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
    await expect.poll(() => [calls, strange]).toEqual([3, 2])
    await writer.append(2, events.slice(2), null)
    await expect.poll(() => calls).toBe(4)
    expect(strange).toBe(2)
    for (const store of [reader, writer, stranger]) await store.close()
  })

  it('a mark leaves nothing out that ends later than what began after it', async () => {
    const [tenant, url] = [randomUUID(), urlOf({})]
    const store = await postgresStore({ url, tenant })
    await store.append(0, sampleTurns(1, { runId: 'run-a' }), null)
    await store.append(0, sampleTurns(1, { runId: 'run-b' }).slice(0, 3), null)
    const before = await store.changes()
    const slow = await connectionTo(url)
    await slow.query(`BEGIN; SET LOCAL donecheck.tenant = '${tenant}'`)
    await slow.query(
      `UPDATE donecheck.runs SET changed = DEFAULT WHERE tenant = '${tenant}' AND run_id = 'run-a'`,
    )
    await store.append(3, sampleTurns(2, { runId: 'run-b' }).slice(3), null)
    const meanwhile = await store.changes(before.latest)
    expect(meanwhile.runIds).toEqual(['run-b'])
    await slow.query('COMMIT')
    await slow.end()
    const after = await store.changes(meanwhile.latest)
    expect(after.runIds.toSorted()).toEqual(['run-a', 'run-b'])
    expect(await store.changes(after.latest)).toEqual({ latest: after.latest, runIds: [] })
    await store.close()
  })
})
