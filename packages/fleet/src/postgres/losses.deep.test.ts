/** Connections that are lost in the middle of an exchange, and servers that die: nothing is lost, and nothing is done twice. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { modelCalled } from '@donecheck/core/internal/testing/facts'
import { runStarted, stamp } from '@donecheck/core/testing'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { thisHolder } from '@donecheck/engine/internal/system/process'
import { cuttingProxy } from '../../../../test/fleet/kit/cutting-proxy.ts'
import { describeWithPostgres, queryAt } from '../../../../test/fleet/kit/postgres.ts'
import { postgresStore } from './postgres-store.ts'

const [first, second] = stamp([runStarted(), modelCalled()])
if (first === undefined || second === undefined) throw new Error('two events were stamped')

/** An event of one long run, with an id that identifies it after a loss. */
function eventAt(sequence: number): RunEvent {
  const event = sequence === 1 ? first : second
  if (event === undefined) throw new Error('two events were stamped')
  return { ...event, sequence, id: `event-${sequence}` }
}

async function expectWhole(store: Store, length: number): Promise<void> {
  const ids = (await store.read('run-1')).map(({ id }) => id)
  expect(ids).toEqual(Array.from({ length }, (_, index) => `event-${index + 1}`))
  expect(await store.list()).toMatchObject([{ events: length }])
}

describeWithPostgres('given a PostgreSQL that is lost', (postgres) => {
  const open = (url: string) => postgresStore({ url, tenant: randomUUID(), connections: 1 })

  /** Repeats the work and cuts the connection later each time, until an exchange completes. */
  async function cutEvery(step: number, work: (store: Store, time: number) => Promise<void>): Promise<Store> {
    const { server } = postgres()
    const proxy = await cuttingProxy(server.port)
    const address = new URL(server.url)
    address.port = String(proxy.port)
    const tenant = randomUUID()
    const store = await postgresStore({ url: address.href, tenant, connections: 1 })
    let time = 1
    for (let isCut = true; isCut; time += 1) {
      proxy.cutAfter((time - 1) * step)
      await work(store, time)
      isCut = proxy.hasCut()
    }
    expect(time).toBeGreaterThan(20)
    await store.close()
    await proxy.close()
    return postgresStore({ url: server.url, tenant })
  }

  it('at any moment of an append: it is done once, and the writer is told so', async () => {
    let appends = 0
    const store = await cutEvery(7, async (cut, time) => {
      expect(await cut.append(time - 1, [eventAt(time)], null)).toEqual({ kind: 'appended' })
      appends = time
    })
    await expectWhole(store, appends)
    await store.close()
  })

  it('at any moment of a lease or of a request: the name is held once, and the request has one number', async () => {
    const numbers: number[] = []
    const store = await cutEvery(29, async (cut, time) => {
      const asked = { name: `run ${time}`, holder: thisHolder('a test'), ttlMs: 60_000 }
      expect(await cut.acquire(asked)).toMatchObject({ kind: 'held', lease: { fence: 1 } })
      const change = { kind: 'paused', reason: `for the ${time}th time` } as const
      numbers.push(await cut.keepGoalRequest('run-1', { goalId: null, by: 'a test', change }))
    })
    const requests = await store.goalRequests('run-1', 0)
    expect(requests.map(({ number }) => number)).toEqual(numbers)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    await store.close()
  })

  it('by an operator who ends its connections: appends go on over others', async () => {
    const { server } = postgres()
    const store = await open(server.url)
    for (let sequence = 1; sequence <= 30; sequence += 1) {
      const append = store.append(sequence - 1, [eventAt(sequence)], null)
      await queryAt(
        server.url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'donecheck'",
      )
      expect(await append).toEqual({ kind: 'appended' })
    }
    await expectWhole(store, 30)
    await store.close()
  })

  it('by a kill -9 of the server, again and again: the writer waits until it is back', async () => {
    const store = await open(postgres().server.url)
    let sequence = 0
    for (const kills of [1, 2, 3]) {
      const before = sequence
      const writer = { isDone: false }
      const appends = (async () => {
        while (!writer.isDone) {
          sequence += 1
          const result = await store.append(sequence - 1, [eventAt(sequence)], null)
          expect(result, `append ${sequence}, kill ${kills}`).toEqual({ kind: 'appended' })
        }
      })()
      await expect.poll(() => sequence).toBeGreaterThan(before + 20)
      await postgres().server.kill()
      await postgres().restart()
      writer.isDone = true
      await appends
    }
    await expectWhole(store, sequence)
    await store.close()
  })

  it('in the middle of the appends of many runs: each run has its events once', async () => {
    const store = await cutEvery(397, async (cut, time) => {
      const append = (index: number) =>
        cut.append(time - 1, [{ ...eventAt(time), runId: `run ${index}` }], null)
      const results = await Promise.all(Array.from({ length: 40 }, (_, index) => append(index)))
      expect(results.filter(({ kind }) => kind === 'appended')).toHaveLength(40)
    })
    const counts = (await store.list()).map(({ events }) => events)
    expect([counts.length, new Set(counts).size]).toEqual([40, 1])
    await store.close()
  })

  it('and does not come back: says so when patience is at its end, without the password', async () => {
    const { server } = postgres()
    const store = await postgresStore({ url: server.url, tenant: randomUUID(), patienceMs: 100 })
    await server.stop()
    const failure = await store.append(0, [eventAt(1)], null).catch((error: unknown) => String(error))
    expect(failure).toContain('the database does not answer')
    expect(failure).not.toContain(new URL(server.url).password)
    await postgres().restart()
    expect(await store.append(0, [eventAt(1)], null)).toEqual({ kind: 'appended' })
    await store.close()
  })
})
