/** Several processes at one store, some of them killed. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { sampleTurns } from '@donecheck/core/testing'
import { isAlive, thisHolder } from '@donecheck/engine/internal/system/process'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { describeEachStore, type InStore } from './each-store.ts'
import { storeAt } from './store-at.ts'

const run = promisify(execFile)

/** Those that write as this test does are its parts. */
const program = join(import.meta.dirname, 'store-writing.ts')
const words = (...more: string[]) => ['--conditions=donecheck-source', program, ...more]

async function printedBy(how: string, ...more: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, words(how, ...more))
  return JSON.parse(stdout)
}

/** Lets a child append until it has acknowledged so many events, then kills it without warning. */
async function killedAfter(acknowledged: number, place: string): Promise<number> {
  const child = spawn(process.execPath, words('append-forever', place), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  let last = 0
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line)
    if (last === acknowledged) child.kill('SIGKILL')
  }
  expect(await exit).toEqual([null, 'SIGKILL'])
  return last
}

const opening = (inStore: InStore) => (work: (store: Store, place: string) => Promise<void>) => () =>
  inStore(async (place) => {
    const store = await storeAt(place)
    try {
      await work(store, place)
    } finally {
      await store.close()
    }
  })

describeEachStore('given a process that is killed while it appends', (inStore) => {
  const withStore = opening(inStore)

  for (const acknowledged of [1, 7, 150]) {
    it(
      `has every event that was acknowledged (${acknowledged} and more)`,
      withStore(async (store, place) => {
        const last = await killedAfter(acknowledged, place)
        // Of one whose connection is open its server may still be at the last.
        const read = async () => (await store.read('run-1')).length
        await expect.poll(read).toBeGreaterThanOrEqual(last)
        const events = await store.read('run-1')
        // One more may have been written before its acknowledgement was printed.
        expect(events.length).toBeLessThanOrEqual(last + 1)
        expect(await store.list()).toMatchObject([{ events: events.length }])
        expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
      }),
    )
  }
})

describeEachStore('given several processes at one store', (inStore) => {
  const withStore = opening(inStore)

  it(
    'lets them open it at the same time and win each event once',
    withStore(async (store, place) => {
      const names = ['a', 'b', 'c', 'd']
      const won = await Promise.all(names.map((name) => printedBy('compete', place, name, '25')))
      const events = await store.read('run-1')
      expect(events).toHaveLength(100)
      for (const [index, name] of names.entries()) {
        const ownEvents = events.filter(({ id }) => id.startsWith(`${name}-`))
        expect(ownEvents.map(({ sequence }) => sequence)).toEqual(won[index])
      }
    }),
  )

  it(
    'tells another process who holds a name, and fences a writer off whose name it has taken over',
    withStore(async (store, place) => {
      const holder = thisHolder('the parent')
      const mine = await store.acquire({ name: 'run:run-1', holder, ttlMs: 60_000 })
      if (mine.kind === 'taken') throw new Error('a new store has no leases')
      expect(await printedBy('acquire-lease', place)).toMatchObject({ kind: 'taken', by: { holder } })
      const { fence } = mine.lease
      expect(await printedBy('acquire-lease', place, String(fence))).toMatchObject({ kind: 'held' })
      const result = await store.append(0, sampleTurns(1), mine.lease)
      expect(result).toEqual({ kind: 'fenced', message: expect.stringContaining('the child') as unknown })
      expect(await store.renew(mine.lease, 60_000)).toBeUndefined()
    }),
  )

  it(
    'knows that a holder is dead which has left a name behind',
    withStore(async (store, place) => {
      await printedBy('acquire-lease', place)
      const request = { name: 'run:run-1', holder: thisHolder('the parent'), ttlMs: 60_000 }
      const answer = await store.acquire(request)
      if (answer.kind === 'held') throw new Error('the child holds it')
      expect(isAlive(answer.by.holder)).toBe('dead')
      const second = await store.acquire({ ...request, takeOverFence: answer.by.fence })
      expect(second.kind).toBe('held')
    }),
  )
})
