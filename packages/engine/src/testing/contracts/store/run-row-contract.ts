import { describe, expect, it } from 'vitest'
import { sampleTurns } from '@donecheck/core/testing'
import { withStore, type OpenStore } from './opened-store.ts'

const row = (runId: string, events: number, text = '{}') => ({ runId, events, text })

export function runRowContract(open: OpenStore): void {
  describe('given rows that were distilled of runs', () => {
    it(
      'gives the latest of each run back, whatever stands in it',
      withStore(open, async (store) => {
        expect(await store.runRows()).toEqual([])
        await store.keepRunRows([row('run-b', 3), row('run-a', 4, 'no row at all ✓')])
        await store.keepRunRows([row('run-b', 9, '{"turns":2}')])
        await store.keepRunRows([])
        expect(await store.runRows()).toEqual([
          row('run-a', 4, 'no row at all ✓'),
          row('run-b', 9, '{"turns":2}'),
        ])
      }),
    )

    it(
      'forgets the row of a run of which something is taken out',
      withStore(open, async (store) => {
        await store.append(0, sampleTurns(2, { runId: 'run-a' }), null)
        await store.append(0, sampleTurns(2, { runId: 'run-b' }), null)
        await store.keepRunRows([row('run-a', 6), row('run-b', 6)])
        await store.cutOff('run-a', 5, () => undefined)
        expect(await store.runRows()).toEqual([row('run-b', 6)])
      }),
    )
  })
}
