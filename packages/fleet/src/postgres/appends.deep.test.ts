/** Appends that meet others at the same rows: what is written, what is refused, and what waits for what. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { modelCalled } from '@donecheck/core/internal/testing/facts'
import { runStarted, stamp } from '@donecheck/core/testing'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { AppendResult, Store } from '@donecheck/engine/internal/ports/store'
import { thisHolder } from '@donecheck/engine/internal/system/process'
import { connectionTo, describeWithPostgres, queryAt } from '../../../../test/fleet/kit/postgres.ts'
import { postgresStore } from './postgres-store.ts'

/** An event of any run. */
function eventOf(runId: string, sequence: number): RunEvent {
  const [event] = stamp([sequence === 1 ? runStarted() : modelCalled()])
  if (event === undefined) throw new Error('one event was stamped')
  return { ...event, runId, sequence, id: `${runId}-${sequence}` }
}

const appended = { kind: 'appended' } as const

interface Contended {
  readonly store: Store
  /** The second event of the run, which is held up; those of the other runs are in the same exchange. */
  readonly append: () => Promise<AppendResult>
  /** Changes by a concurrent, uncommitted transaction. */
  readonly change: (sql: string) => Promise<unknown>
  /** Queries by a third connection. */
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
})
