import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import type { RunQuery, Store } from '../../../ports/store.ts'
import { checksOnly } from '@donecheck/core/settings'
import { runStarted, sampleTurns, stamp } from '@donecheck/core/testing'
import { goalSet, runStopped } from '@donecheck/core/testing/facts'
import { withStore, type OpenStore, type StoreTest } from './opened-store.ts'

const idsOf = async (store: Store, query: Partial<RunQuery> = {}) =>
  (await store.listPage({ limit: 10, ...query })).runs.map(({ runId }) => runId)

async function keepFour(store: Store): Promise<void> {
  const capped = runStopped('hard_cap', { outcome: 'exhausted', cap: 'tokens' })
  const stories = {
    'run-a': [runStarted({ labels: ['nightly', 'memory=on'] }), goalSet('Mend the Äpfel'), capped],
    'run-b': [runStarted({ labels: ['night'] }), goalSet('add prices')],
    'run-c': [runStarted({ drive: { ...runStarted().drive, name: checksOnly } }), goalSet('check it')],
    'run-d': [runStarted(), goalSet('100 %'), runStopped('blocked', { outcome: 'blocked' })],
  }
  for (const [index, [runId, facts]] of Object.entries(stories).entries())
    await store.append(0, stamp(facts, { runId, startMs: 1000 * (index + 1) }), null)
}

interface Paging {
  /** When the runs begin. */
  readonly startsMs: readonly number[]
  readonly limit: number
  /** After each page, which of them goes on; another one begins where there is none. */
  readonly meanwhile: readonly number[]
}

const anyPaging = fc.record<Paging>({
  startsMs: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 12 }),
  limit: fc.integer({ min: 1, max: 5 }),
  meanwhile: fc.array(fc.integer({ min: 0, max: 14 }), { maxLength: 12 }),
})

/** Turns the pages of a list while it changes: together they are the list as it was. */
async function turnPages(store: Store, { startsMs, limit, meanwhile }: Paging): Promise<void> {
  const runs = startsMs.map((startMs, index) => sampleTurns(2, { runId: `run-${index + 10}`, startMs }))
  for (const events of runs) await store.append(0, events.slice(0, 3), null)
  const before = (await store.list()).map(({ runId }) => runId)
  const seen: string[] = []
  let cursor: string | null = ''
  for (let page = 0; cursor !== null; page += 1) {
    const { runs: shown, next } = await store.listPage({ limit, ...(cursor === '' ? {} : { cursor }) })
    expect(shown.length).toBeLessThanOrEqual(limit)
    seen.push(...shown.map(({ runId }) => runId))
    const events = runs[meanwhile[page] ?? runs.length]
    if (events !== undefined) await store.append(3, events.slice(3), null)
    else await store.append(0, sampleTurns(1, { runId: `run-9${page}`, startMs: 9000 }), null)
    cursor = next
  }
  expect(seen.toSorted()).toEqual(before.toSorted())
}

export function runPageContract(it: StoreTest, open: OpenStore): void {
  describe('given a page of runs', () => {
    it('holds the runs that are asked for, the latest begun first', async (store) => {
      await keepFour(store)
      expect(await idsOf(store)).toEqual(['run-d', 'run-b', 'run-a'])
      expect(await idsOf(store, { withChecksOnly: true })).toEqual(['run-d', 'run-c', 'run-b', 'run-a'])
      expect(await idsOf(store, { outcome: 'exhausted' })).toEqual(['run-a'])
      expect(await idsOf(store, { reason: 'blocked' })).toEqual(['run-d'])
      expect(await idsOf(store, { reason: 'blocked', outcome: 'exhausted' })).toEqual([])
      expect(await idsOf(store, { label: 'night' })).toEqual(['run-b'])
      expect(await idsOf(store, { isOpen: true })).toEqual(['run-b'])
      expect(await idsOf(store, { isOpen: false })).toEqual(['run-d', 'run-a'])
      expect(await idsOf(store, { text: 'mend the äPF' })).toEqual(['run-a'])
      expect(await idsOf(store, { text: '%' })).toEqual(['run-d'])
      expect(await store.summary('run-a')).toEqual(
        (await store.list()).find(({ runId }) => runId === 'run-a'),
      )
      expect(await store.summary('run-x')).toBeUndefined()
    })

    it('is refused for a limit that no page has, and for a cursor that no page gave', async (store) => {
      await expect(store.listPage({ limit: 0 })).rejects.toThrow(UsageError)
      await expect(store.listPage({ limit: 1.5 })).rejects.toThrow('positive whole number')
      await expect(store.listPage({ limit: 1, cursor: "x' OR 1" })).rejects.toThrow(
        '"next" of the page before',
      )
      expect(await store.listPage({ limit: 1 })).toEqual({ runs: [], next: null })
    })
  })

  describe('given pages of runs', () => {
    test('together are the list, without a double and without a gap, while runs go on and begin', async () => {
      await fc.assert(
        fc.asyncProperty(anyPaging, (paging) => withStore(open, (store) => turnPages(store, paging))),
        { numRuns: 15 },
      )
    })
  })

  describe('given runs that go on', () => {
    it('are read on from where whoever follows stands', async (store) => {
      const events = sampleTurns(3, { runId: 'run-a' })
      await store.append(0, events, null)
      expect(await store.readAfter('run-a', 0, 4)).toEqual(events.slice(0, 4))
      expect(await store.readAfter('run-a', 4, 100)).toEqual(events.slice(4))
      expect(await store.readAfter('run-a', events.length, 100)).toEqual([])
      expect(await store.readAfter('run-a', events.length + 5, 100)).toEqual([])
      expect(await store.readAfter('run-x', 0, 100)).toEqual([])
    })

    it('tell which runs have changed since a mark, and nothing where none has', async (store) => {
      expect(await store.changes(0)).toEqual({ latest: 0, runIds: [] })
      for (const runId of ['run-a', 'run-b'])
        await store.append(0, sampleTurns(1, { runId }).slice(0, 3), null)
      const first = await store.changes(0)
      expect(first.runIds).toEqual(['run-a', 'run-b'])
      expect(await store.changes()).toEqual({ latest: first.latest, runIds: [] })
      expect(await store.changes(first.latest)).toEqual({ latest: first.latest, runIds: [] })
      await store.append(3, sampleTurns(2, { runId: 'run-a' }).slice(3), null)
      const second = await store.changes(first.latest)
      expect(second.runIds).toEqual(['run-a'])
      expect((await store.changes(0)).runIds).toEqual(['run-b', 'run-a'])
      await store.cutOff('run-b', 3, () => undefined)
      await store.takeIn(sampleTurns(1, { runId: 'run-c' }))
      expect((await store.changes(second.latest)).runIds).toEqual(['run-b', 'run-c'])
    })
  })
}
