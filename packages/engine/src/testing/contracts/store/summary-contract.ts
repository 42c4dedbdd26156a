import { describe, expect } from 'vitest'
import { goalSet, runResumed, runStopped } from '@donecheck/core/testing/facts'
import { stamp, runStarted, sampleTurns } from '@donecheck/core/testing'
import type { StoreTest } from './opened-store.ts'

export function summaryContract(it: StoreTest): void {
  describe('given a list of runs', () => {
    it('is empty at first', async (store) => {
      expect(await store.list()).toEqual([])
    })

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
          drive: 'test/model',
          reason: undefined,
          outcome: undefined,
          cap: undefined,
          detector: undefined,
          labels: [],
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

    it('tells by which cap or detector it was ended, until it is resumed, and the labels that it was given', async (store) => {
      const events = stamp([
        runStarted({ labels: ['memory=on', 'nightly'] }),
        goalSet(),
        runStopped('hard_cap', { outcome: 'exhausted', cap: 'tokens' }),
        runResumed(),
        runStopped('loop_detected', { outcome: 'exhausted', detector: 'ping_pong' }),
      ])
      await store.append(0, events.slice(0, 3), null)
      const labels = ['memory=on', 'nightly']
      expect(await store.list()).toMatchObject([{ cap: 'tokens', detector: undefined, labels }])
      await store.append(3, events.slice(3, 4), null)
      expect(await store.list()).toMatchObject([{ cap: undefined, detector: undefined, labels }])
      await store.append(4, events.slice(4), null)
      expect(await store.list()).toMatchObject([{ cap: undefined, detector: 'ping_pong', labels }])
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
