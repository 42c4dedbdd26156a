import { describe, expect } from 'vitest'
import type { AcquireRequest, Lease, LeaseHolder, LeaseResult, Store } from '../../../ports/store.ts'
import { sampleTurns } from '@donecheck/core/testing'
import type { StoreTest } from './opened-store.ts'

const ttlMs = 30_000

function holder(purpose: string): LeaseHolder {
  return { host: 'host-1', processId: 100, processStart: null, purpose }
}

async function ask(
  store: Store,
  purpose: string,
  changes: Partial<AcquireRequest> = {},
): Promise<LeaseResult> {
  return store.acquire({ name: 'run:run-1', holder: holder(purpose), ttlMs, ...changes })
}

async function hold(store: Store, purpose: string, changes: Partial<AcquireRequest> = {}): Promise<Lease> {
  const result = await ask(store, purpose, changes)
  if (result.kind === 'taken') throw new Error(`held by ${result.by.holder.purpose}`)
  return result.lease
}

/** Who gets a name, and who may write. */
export function leaseContract(it: StoreTest): void {
  describe('given a name that somebody wants to hold', () => {
    it('gives it to the first, for as long as asked', async (store) => {
      const lease = await hold(store, 'first')
      const { fence, expiresAtMs } = lease
      expect(lease).toEqual({ name: 'run:run-1', holder: holder('first'), fence, expiresAtMs })
      const long = await hold(store, 'first', { name: 'run:run-2', ttlMs: 10 * ttlMs })
      // Between the two answers no time of a clock has to pass, and some may.
      expect(long.expiresAtMs - expiresAtMs).toBeGreaterThanOrEqual(9 * ttlMs)
    })

    it('tells the second who has it; other names are free', async (store) => {
      const lease = await hold(store, 'first')
      expect(await ask(store, 'second')).toEqual({ kind: 'taken', by: lease })
      expect(await ask(store, 'second', { name: 'run:run-2' })).toMatchObject({ kind: 'held' })
    })

    it('tells whose it is, also after its end while nobody has taken it over', async (store) => {
      expect(await store.leaseOf('run:run-1')).toBeUndefined()
      const lease = await hold(store, 'first', { ttlMs: 0 })
      expect(await store.leaseOf('run:run-1')).toEqual(lease)
      await store.release(lease)
      expect(await store.leaseOf('run:run-1')).toBeUndefined()
    })

    it('gives it on when it has expired, not before', async (store) => {
      const first = await hold(store, 'first')
      expect(await ask(store, 'second')).toEqual({ kind: 'taken', by: first })
      await store.renew(first, 0)
      const second = await hold(store, 'second')
      expect(second.fence).toBeGreaterThan(first.fence)
    })

    it('gives it on before its end to whoever knows that this very holder is dead', async (store) => {
      const first = await hold(store, 'first')
      const second = await hold(store, 'second', { takeOverFence: first.fence })
      expect(second.fence).toBeGreaterThan(first.fence)
      const late = await ask(store, 'third', { takeOverFence: first.fence })
      expect(late).toEqual({ kind: 'taken', by: second })
    })

    it('is free after its release, and never gives a fence out twice', async (store) => {
      const fences: number[] = []
      for (const purpose of ['first', 'second', 'third']) {
        const lease = await hold(store, purpose)
        fences.push(lease.fence)
        await store.release(lease)
      }
      expect(fences).toEqual([...new Set(fences)].sort((one, other) => one - other))
    })
  })

  describe('given a holder with a heartbeat', () => {
    it('holds the name for longer, also when the heartbeat comes late', async (store) => {
      const lease = await hold(store, 'first', { ttlMs: 0 })
      const renewed = await store.renew(lease, ttlMs)
      expect(renewed).toEqual({ ...lease, expiresAtMs: renewed?.expiresAtMs })
      expect(renewed?.expiresAtMs).toBeGreaterThanOrEqual(lease.expiresAtMs + ttlMs)
      expect(await ask(store, 'second')).toEqual({ kind: 'taken', by: renewed })
    })

    it('is told when it was taken over, and can neither renew nor release it then', async (store) => {
      const first = await hold(store, 'first')
      const second = await hold(store, 'second', { takeOverFence: first.fence })
      expect(await store.renew(first, ttlMs)).toBeUndefined()
      await store.release(first)
      expect(await ask(store, 'third')).toEqual({ kind: 'taken', by: second })
    })

    it('cannot wake a lease that was released', async (store) => {
      const lease = await hold(store, 'first')
      await store.release(lease)
      expect(await store.renew(lease, ttlMs)).toBeUndefined()
      expect(await ask(store, 'second')).toMatchObject({ kind: 'held' })
    })
  })

  describe('given a writer with a lease', () => {
    const events = sampleTurns(3)

    it('lets the holder write, also after the end of the lease while nobody has taken it over', async (store) => {
      const lease = await hold(store, 'first', { ttlMs: 0 })
      expect(await store.append(0, events.slice(0, 2), lease)).toEqual({ kind: 'appended' })
      expect(await store.append(2, events.slice(2), lease)).toEqual({ kind: 'appended' })
    })

    it('lets it write after a renewal, with the lease as it was before', async (store) => {
      const lease = await hold(store, 'first')
      await store.renew(lease, ttlMs)
      expect(await store.append(0, events, lease)).toEqual({ kind: 'appended' })
    })

    it('fences a holder off that was replaced, and names the new one; the new one writes', async (store) => {
      const first = await hold(store, 'first', { ttlMs: 0 })
      await store.append(0, events.slice(0, 2), first)
      const second = await hold(store, 'second')
      const result = await store.append(2, events.slice(2), first)
      expect(result).toEqual({ kind: 'fenced', message: expect.stringContaining('second') as unknown })
      expect(await store.read('run-1')).toEqual(events.slice(0, 2))
      expect(await store.append(2, events.slice(2), second)).toEqual({ kind: 'appended' })
      expect(await store.append(2, events.slice(2), first)).toMatchObject({ kind: 'fenced' })
    })

    it('fences off a lease that was released, and one that it never gave', async (store) => {
      const lease = await hold(store, 'first')
      await store.release(lease)
      expect(await store.append(0, events, lease)).toMatchObject({ kind: 'fenced' })
      const unknown = { ...lease, name: 'run:run-2' }
      expect(await store.append(0, events, unknown)).toMatchObject({ kind: 'fenced' })
      expect(await store.list()).toEqual([])
    })
  })
}
