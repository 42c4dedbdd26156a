import { describe, expect } from 'vitest'
import type { GoalRequest } from '@donecheck/core/goal'
import type { StoreTest } from './opened-store.ts'

const edit = (objective: string): GoalRequest => ({
  goalId: null,
  by: 'Mia',
  change: { kind: 'objective-edited', objective },
})

export function goalRequestContract(it: StoreTest): void {
  describe('given requests for the goals of runs', () => {
    it('gives those of a run back in the order in which they came', async (store) => {
      const first = await store.keepGoalRequest('run-1', edit('one'))
      await store.keepGoalRequest('run-2', edit('of another run'))
      const second = await store.keepGoalRequest('run-1', edit('two'))
      expect(second).toBeGreaterThan(first)
      expect(await store.goalRequests('run-1', 0)).toEqual([
        { number: first, runId: 'run-1', request: edit('one') },
        { number: second, runId: 'run-1', request: edit('two') },
      ])
    })

    it('leaves those out that were answered', async (store) => {
      const first = await store.keepGoalRequest('run-1', edit('one'))
      await store.keepGoalRequest('run-1', edit('two'))
      const left = await store.goalRequests('run-1', first)
      expect(left.map(({ request }) => request)).toEqual([edit('two')])
      expect(await store.goalRequests('run-3', 0)).toEqual([])
      expect(await store.keepGoalRequest('run-3', edit('imported'), 50)).toBe(51)
      expect(await store.goalRequests('run-3', 50)).toHaveLength(1)
    })
  })
}
