import { describe, expect } from 'vitest'
import { sampleTurns } from '@donecheck/core/testing'
import type { StoreTest } from './opened-store.ts'

const row = (runId: string, events: number, text = '{}') => ({ runId, events, text })
const run = (runId: string, startMs = 1000) => sampleTurns(2, { runId, startMs })

export function runRowContract(it: StoreTest): void {
  describe('given rows that were distilled of runs', () => {
    it('gives the latest of each run back, whatever stands in it, and tells which runs have none', async (store) => {
      expect(await store.runRows(0)).toEqual({ rows: [], missing: [], imported: [] })
      for (const name of ['run-b', 'run-a', 'run-c']) await store.append(0, run(name), null)
      await store.takeIn(run('run-d'))
      await store.keepRunRows([row('run-b', 6), row('run-a', 6, 'no row at all ✓')])
      await store.keepRunRows([row('run-b', 6, '{"turns":2}'), row('run-x', 6)])
      await store.keepRunRows([])
      expect(await store.runRows(0)).toEqual({
        rows: [row('run-a', 6, 'no row at all ✓'), row('run-b', 6, '{"turns":2}')],
        missing: ['run-c', 'run-d'],
        imported: ['run-d'],
      })
    })

    it('gives none back of a run that went on since, or of which something was taken out', async (store) => {
      await store.append(0, run('run-a').slice(0, 4), null)
      await store.append(0, run('run-b'), null)
      await store.keepRunRows([row('run-a', 4), row('run-b', 6)])
      await store.append(4, run('run-a').slice(4), null)
      await store.cutOff('run-b', 5, () => undefined)
      await store.append(4, run('run-b').slice(4), null)
      expect(await store.runRows(0)).toMatchObject({ rows: [], missing: ['run-a', 'run-b'] })
    })

    it('leaves out runs that were begun before', async (store) => {
      await store.append(0, run('run-a', 1000), null)
      await store.append(0, run('run-b', 2000), null)
      await store.keepRunRows([row('run-a', 6)])
      expect(await store.runRows(1000)).toMatchObject({ rows: [row('run-a', 6)], missing: ['run-b'] })
      expect(await store.runRows(1001)).toMatchObject({ rows: [], missing: ['run-b'] })
    })

    it('gives those of some runs alone', async (store) => {
      for (const name of ['run-a', 'run-b', 'run-c']) await store.append(0, run(name), null)
      await store.keepRunRows([row('run-a', 6), row('run-b', 6)])
      expect(await store.runRows(0, ['run-b', 'run-c', 'run-x'])).toEqual({
        rows: [row('run-b', 6)],
        missing: ['run-c'],
        imported: [],
      })
      expect(await store.runRows(0, [])).toEqual({ rows: [], missing: [], imported: [] })
    })
  })
}
