import { runStarted, sampleRun, sampleTurns, stamp } from '@donecheck/core/testing'
import { goalSet, runResumed, runStopped } from '@donecheck/core/internal/testing/facts'
import { describe, expect, test } from 'vitest'
import { StoreError } from '../../base/index.ts'
import {
  attachmentContract,
  type OpenStore,
  rememberedVerdictContract,
  runPageContract,
  runRowContract,
  type StoreTest,
  withStore,
} from './store-kept-contract.ts'
import {
  goalRequestContract,
  hostSessionContract,
  leaseContract,
  questionContract,
} from './store-names-contract.ts'

export type { OpenedStore } from './store-kept-contract.ts'

/** Contract of every store (ports.ts). Call it in a test file: each test opens and disposes of a store. */
export function storeContract(name: string, open: OpenStore): void {
  const it: StoreTest = (story, run) => test(story, () => withStore(open, run))
  describe(`${name} is a store`, () => {
    eventLogContract(it)
    summaryContract(it)
    leaseContract(it)
    attachmentContract(it)
    rememberedVerdictContract(it)
    hostSessionContract(it)
    goalRequestContract(it)
    runRowContract(it)
    runPageContract(it, open)
    questionContract(it)
    closingContract(it)
  })
}

function closingContract(it: StoreTest): void {
  describe('given a store that was closed', () => {
    it('may be closed again', async (store) => {
      await store.close()
      await expect(store.close()).resolves.toBeUndefined()
    })

    it('says so instead of losing what it is told', async (store) => {
      await store.close()
      await expect(store.append(0, sampleRun(), null)).rejects.toThrow(StoreError)
      await expect(store.read('run-1')).rejects.toThrow(StoreError)
      await expect(store.list()).rejects.toThrow('closed')
      await expect(store.attachmentsOf('run-1')).rejects.toThrow(StoreError)
    })
  })
}

function eventLogContract(it: StoreTest): void {
  describe('given events that were appended', () => {
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

function summaryContract(it: StoreTest): void {
  describe('given a list of runs', () => {
    it('tells of each run what it is and how it stands', async (store) => {
      const steps = [runStarted({ workFolder: '/srv/tree' }), goalSet('mend it')]
      await store.append(0, stamp(steps, { startMs: 1_000.5, stepMs: 10 }), null)
      expect(await store.list()).toEqual([
        {
          runId: 'run-1',
          startedAtMs: 1_000.5,
          updatedAtMs: 1_010.5,
          events: 2,
          task: 'mend it',
          workFolder: '/srv/tree',
          agent: 'test/model',
          reason: undefined,
          outcome: undefined,
          cap: undefined,
          detector: undefined,
          tags: [],
        },
      ])
    })

    it('tells why a run stopped, until it is resumed', async (store) => {
      const stopped = runStopped('hard_cap', { outcome: 'exhausted' })
      const events = stamp([
        runStarted({ workFolder: null }),
        goalSet('one'),
        stopped,
        runResumed(),
        goalSet('two'),
      ])
      await store.append(0, events.slice(0, 3), null)
      expect(await store.list()).toMatchObject([
        { reason: 'hard_cap', outcome: 'exhausted', events: 3, task: 'one', workFolder: null },
      ])
      await store.append(3, events.slice(3), null)
      expect(await store.list()).toMatchObject([
        { reason: undefined, outcome: undefined, events: 5, task: 'two' },
      ])
    })

    it('tells by which cap or detector it was ended, until it is resumed, and the tags that it was given', async (store) => {
      const events = stamp([
        runStarted({ tags: ['memory=on', 'nightly'] }),
        goalSet(),
        runStopped('hard_cap', { outcome: 'exhausted', cap: 'tokens' }),
        runResumed(),
        runStopped('loop_detected', { outcome: 'exhausted', detector: 'ping_pong' }),
      ])
      await store.append(0, events.slice(0, 3), null)
      const tags = ['memory=on', 'nightly']
      expect(await store.list()).toMatchObject([{ cap: 'tokens', detector: undefined, tags }])
      await store.append(3, events.slice(3, 4), null)
      expect(await store.list()).toMatchObject([{ cap: undefined, detector: undefined, tags }])
      await store.append(4, events.slice(4), null)
      expect(await store.list()).toMatchObject([{ cap: undefined, detector: 'ping_pong', tags }])
    })

    it('has the run of the latest event first, whenever it began', async (store) => {
      const long = sampleTurns(3, { runId: 'run-a', startMs: 1_000 })
      await store.append(0, long.slice(0, 2), null)
      await store.append(0, sampleTurns(1, { runId: 'run-b', startMs: 1_021, stepMs: 0 }), null)
      await store.append(0, sampleTurns(1, { runId: 'run-c', startMs: 1_021, stepMs: 0 }), null)
      const ids = async () => (await store.list()).map(({ runId }) => runId)
      expect(await ids()).toEqual(['run-c', 'run-b', 'run-a'])
      await store.append(2, long.slice(2), null)
      expect(await ids()).toEqual(['run-a', 'run-c', 'run-b'])
    })
  })
}
