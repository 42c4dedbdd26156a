import { describe, expect } from 'vitest'
import { sampleRun, sampleTurns } from '@donecheck/core/testing'
import type { StoreTest } from './opened-store.ts'

export function eventLogContract(it: StoreTest): void {
  describe('given events that were appended', () => {
    it('knows nothing of a run that was never written', async (store) => {
      expect(await store.read('run-1')).toEqual([])
    })

    it('gives back an event of every kind as it was written', async (store) => {
      const events = sampleRun()
      expect(await store.append(0, events, null)).toEqual({ kind: 'appended' })
      expect(await store.read('run-1')).toEqual(events)
    })

    it('puts later events behind earlier ones, and keeps runs apart', async (store) => {
      const events = sampleRun()
      const others = sampleRun('run-2')
      await store.append(0, events.slice(0, 3), null)
      await store.append(0, others.slice(0, 2), null)
      await store.append(3, events.slice(3), null)
      expect(await store.read('run-1')).toEqual(events)
      expect(await store.read('run-2')).toEqual(others.slice(0, 2))
    })

    it('is not changed through the events that it gave out', async (store) => {
      const events = sampleRun()
      await store.append(0, events, null)
      for (const event of await store.read('run-1')) Object.assign(event, { timeMs: -1 })
      expect(await store.read('run-1')).toEqual(events)
    })

    it('has nothing to do for no events', async (store) => {
      expect(await store.append(0, [], null)).toEqual({ kind: 'appended' })
      expect(await store.list()).toEqual([])
    })
  })

  describe('given a writer that has not seen the latest event', () => {
    const events = sampleTurns(4)

    it('refuses what is behind the stream, ahead of it, or begins it again', async (store) => {
      await store.append(0, events.slice(0, 4), null)
      const conflict = { kind: 'conflict', actualSequence: 4 }
      expect(await store.append(2, events.slice(2, 4), null)).toEqual(conflict)
      expect(await store.append(6, events.slice(6), null)).toEqual(conflict)
      expect(await store.append(0, events.slice(0, 1), null)).toEqual(conflict)
      expect(await store.read('run-1')).toEqual(events.slice(0, 4))
    })

    it('refuses to continue a run that does not exist', async (store) => {
      const result = await store.append(2, events.slice(2), null)
      expect(result).toEqual({ kind: 'conflict', actualSequence: 0 })
      expect(await store.list()).toEqual([])
    })

    it('lets exactly one of two win that write at the same time', async (store) => {
      await store.append(0, events.slice(0, 2), null)
      const batch = events.slice(2, 5)
      const results = await Promise.all([store.append(2, batch, null), store.append(2, batch, null)])
      expect(results.map(({ kind }) => kind).sort()).toEqual(['appended', 'conflict'])
      expect(await store.read('run-1')).toEqual(events.slice(0, 5))
    })
  })

  describe('given a program that appends nonsense', () => {
    const events = sampleTurns(2)
    const [first, second] = [events.slice(0, 1), events.slice(1, 2)]

    it('rejects events with a gap, of two runs, or without a time, and writes none of them', async (store) => {
      const timeless = second.map((event) => ({ ...event, timeMs: Number.NaN }))
      const ofAnother = second.map((event) => ({ ...event, runId: 'run-2' }))
      for (const batch of [
        [...first, ...events.slice(2)],
        [...first, ...ofAnother],
        [...first, ...timeless],
      ])
        await expect(store.append(0, batch, null)).rejects.toThrow(TypeError)
      await expect(store.append(1, first, null)).rejects.toThrow('event 1 of run run-1')
      expect(await store.list()).toEqual([])
      expect(await store.read('run-1')).toEqual([])
    })
  })
}
