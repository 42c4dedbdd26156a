/** Appends that meet others at the same rows: what is written, what is refused, and what waits for what. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { modelCalled } from '@donecheck/core/testing/facts'
import { runStarted, stamp } from '@donecheck/core/testing'
import type { RunEvent } from '@donecheck/core/events'
import type { AppendResult, Store } from '@donecheck/engine/ports/store'
import { thisHolder } from '@donecheck/engine/process'
import { connectionTo, describeWithPostgres, queryAt } from '../../../../test/fleet/kit/postgres.ts'
import { postgresStore } from './postgres-store.ts'

/** Of a run of any name. */
function eventOf(runId: string, sequence: number): RunEvent {
  const [event] = stamp([sequence === 1 ? runStarted() : modelCalled()])
  if (event === undefined) throw new Error('one event was stamped')
  return { ...event, runId, sequence, id: `${runId}-${sequence}` }
}

const appended = { kind: 'appended' } as const

describeWithPostgres('given many runs that are appended to at once', (postgres) => {
  it('then one that is refused, or cannot be written at all, holds up none of the others', async () => {
    const store = await postgresStore({ url: postgres().server.url, tenant: randomUUID() })
    const append = (runId: string, first: number, ...more: readonly number[]) =>
      store.append(
        first - 1,
        [first, ...more].map((sequence) => eventOf(runId, sequence)),
        null,
      )
    const runIds = Array.from({ length: 40 }, (_, index) => `run ${index}`)
    const rounds: readonly (readonly [number, ...number[]])[] = [[1], [2], [3, 4], [5]]
    const beyondInteger = 2 ** 40
    for (const sequences of rounds) {
      const both = runIds.map((runId) => Promise.all([append(runId, ...sequences), append(runId, 9)]))
      const late = append('late', 7)
      const impossible = append('impossible', beyondInteger)
      await expect(impossible).rejects.toThrow('out of range')
      expect(await late).toEqual({ kind: 'conflict', actualSequence: 0 })
      expect(await Promise.all(both)).toMatchObject(runIds.map(() => [appended, { kind: 'conflict' }]))
    }
    const expected = runIds.map((runId) => [1, 2, 3, 4, 5].map((sequence) => eventOf(runId, sequence).id))
    const found = await Promise.all(runIds.map((runId) => store.read(runId)))
    expect(found.map((events) => events.map(({ id }) => id))).toEqual(expected)
    expect((await store.list()).map(({ events }) => events)).toEqual(runIds.map(() => 5))
    await store.close()
  })
})

interface Contended {
  readonly store: Store
  /** The second event of the run, which is held up; those of the other runs are in the same exchange. */
  readonly append: () => Promise<AppendResult>
  /** Of whoever is there at the same time: not yet committed. */
  readonly change: (sql: string) => Promise<unknown>
  /** Of a third. */
  readonly ask: (sql: string) => Promise<readonly unknown[]>
  /** Until the append waits for what was changed. */
  readonly untilItWaits: () => Promise<void>
}

describeWithPostgres('given somebody else at work on the rows of an append', (postgres) => {
  /** Once for an append that is alone, once for one that shares its exchange. */
  async function contended(story: (contended: Contended) => Promise<void>): Promise<void> {
    for (const beside of [0, 8]) {
      const { url } = postgres().server
      const tenant = randomUUID()
      const store = await postgresStore({ url, tenant })
      const answer = await store.acquire({ name: 'run run-1', holder: thisHolder('a test'), ttlMs: 60_000 })
      if (answer.kind !== 'held') throw new Error('a new name is free')
      const { lease } = answer
      expect(await store.append(0, [eventOf('run-1', 1)], lease)).toEqual(appended)
      const others: Promise<AppendResult>[] = []
      const other = await connectionTo(url)
      await other.query(`BEGIN; SET LOCAL donecheck.tenant = '${tenant}'`)
      const mine = (sql: string) => sql.replaceAll('MINE', `tenant = '${tenant}'`)
      const append = () => {
        for (let index = 0; index < beside; index += 1)
          others.push(store.append(0, [eventOf(`other ${index}`, 1)], null))
        return store.append(1, [eventOf('run-1', 2)], lease)
      }
      const untilItWaits = async () => {
        const waiting =
          "SELECT FROM pg_stat_activity WHERE application_name = 'donecheck' AND wait_event_type = 'Lock'"
        await expect.poll(() => queryAt(url, waiting)).toHaveLength(1)
      }
      const change = (sql: string) => other.query(mine(sql))
      const ask = (sql: string) => queryAt(url, mine(sql))
      try {
        await story({ store, append, change, ask, untilItWaits })
        expect(await Promise.all(others)).toEqual(others.map(() => appended))
      } finally {
        await other.end()
        await store.close()
      }
    }
  }

  it('a takeover that was first is waited for: the append is fenced off, and nothing of it is there', () =>
    contended(async ({ store, append, change, untilItWaits }) => {
      await change('UPDATE donecheck.leases SET fence = fence + 1 WHERE MINE')
      const fenced = append()
      await untilItWaits()
      await change('COMMIT')
      expect(await fenced).toMatchObject({ kind: 'fenced' })
      expect(await store.read('run-1')).toHaveLength(1)
    }))

  it('a renewal of its own lease is waited for, and the append is done', () =>
    contended(async ({ store, append, change, untilItWaits }) => {
      await change('UPDATE donecheck.leases SET expires_at_ms = expires_at_ms + 1 WHERE MINE')
      const done = append()
      await untilItWaits()
      await change('COMMIT')
      expect(await done).toEqual(appended)
      expect(await store.read('run-1')).toHaveLength(2)
    }))

  it('a takeover that comes later cannot have the lease until the append is done', () =>
    contended(async ({ append, change, ask, untilItWaits }) => {
      await change('UPDATE donecheck.runs SET events = events WHERE MINE')
      const done = append()
      await untilItWaits()
      expect(await ask('SELECT FROM donecheck.leases WHERE MINE FOR UPDATE SKIP LOCKED')).toEqual([])
      await change('COMMIT')
      expect(await done).toEqual(appended)
      expect(await ask('SELECT FROM donecheck.leases WHERE MINE FOR UPDATE SKIP LOCKED')).toHaveLength(1)
    }))

  it('another writer of the run who was first is waited for: a conflict, and only what he wrote is there', () =>
    contended(async ({ store, append, change, untilItWaits }) => {
      const theirs = { ...eventOf('run-1', 2), id: 'theirs' }
      await change('UPDATE donecheck.runs SET events = 2 WHERE MINE')
      await change(
        `INSERT INTO donecheck.events (run_id, sequence, time_ms, type, json)
         VALUES ('run-1', 2, 0, 'model-called', '${JSON.stringify(theirs)}')`,
      )
      const refused = append()
      await untilItWaits()
      await change('COMMIT')
      expect(await refused).toEqual({ kind: 'conflict', actualSequence: 2 })
      expect((await store.read('run-1')).map(({ id }) => id)).toEqual(['run-1-1', 'theirs'])
    }))

  it('another writer who takes back what he did leaves the run to the append', () =>
    contended(async ({ store, append, change, untilItWaits }) => {
      await change('UPDATE donecheck.runs SET events = 2 WHERE MINE')
      const done = append()
      await untilItWaits()
      await change('ROLLBACK')
      expect(await done).toEqual(appended)
      expect(await store.read('run-1')).toHaveLength(2)
    }))

  it('whoever begins the run first keeps it', () =>
    contended(async ({ store, append, change, untilItWaits }) => {
      await change(
        `INSERT INTO donecheck.runs (run_id, events, started_at_ms, updated_at_ms, task, task_folded, imported, labels)
         VALUES ('begun', 1, 0, 0, '', '', 0, '[]')`,
      )
      const refused = store.append(0, [eventOf('begun', 1)], null)
      await untilItWaits()
      await change('COMMIT')
      expect(await refused).toEqual({ kind: 'conflict', actualSequence: 1 })
      expect(await append()).toEqual(appended)
    }))
})
