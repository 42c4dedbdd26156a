import { checksOnly } from '@donecheck/core/internal/events/settings'
import { failedVerdict, passedVerdict, runStarted, sampleTurns, stamp } from '@donecheck/core/testing'
import { goalSet, runStopped } from '@donecheck/core/internal/testing/facts'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../base/index.ts'
import type { RunQuery, Store } from '../../ports/store.ts'

/** A new, empty store and its cleanup. */
export interface OpenedStore {
  readonly store: Store
  readonly dispose: () => Promise<void>
}

export type OpenStore = () => Promise<OpenedStore>

export type StoreTest = (story: string, test: (store: Store) => Promise<void>) => void

export async function withStore(open: OpenStore, use: (store: Store) => Promise<void>): Promise<void> {
  const { store, dispose } = await open()
  try {
    await use(store)
  } finally {
    await dispose()
  }
}

export function attachmentContract(it: StoreTest): void {
  describe('given whole outputs beside the stream', () => {
    it('gives them back by their digest, run by run', async (store) => {
      await store.attach('run-1', { digest: 'd1', content: 'one' })
      await store.attach('run-2', { digest: 'd1', content: 'of another run' })
      expect(await store.attachment('run-1', 'd1')).toEqual({ digest: 'd1', content: 'one' })
      expect(await store.attachment('run-1', 'd2')).toBeUndefined()
      expect(await store.attachment('run-3', 'd1')).toBeUndefined()
    })

    it('lets go of those alone that are named, which may come again', async (store) => {
      for (const digest of ['d3', 'd1', 'd2']) await store.attach('run-1', { digest, content: digest })
      await store.attach('run-2', { digest: 'd1', content: 'of another run' })
      await store.detach('run-1', ['d1', 'd3', 'of no attachment'])
      await store.detach('run-1', [])
      expect(await store.attachmentDigests('run-1')).toEqual(['d2'])
      expect(await store.attachmentDigests('run-2')).toEqual(['d1'])
      await store.attach('run-1', { digest: 'd1', content: 'again' })
      expect(await store.attachment('run-1', 'd1')).toEqual({ digest: 'd1', content: 'again' })
    })

    it('keeps the first content under a digest', async (store) => {
      for (const content of ['one', 'one', 'other']) await store.attach('run-1', { digest: 'd1', content })
      expect(await store.attachmentsOf('run-1')).toEqual([{ digest: 'd1', content: 'one' }])
    })

    it('keeps every character: none at all, zeros, halves, line ends and many', async (store) => {
      const contents = ['', 'a\0b', 'half \ud800', 'one\r\ntwo\u2028', 'ünïcödé ✓ 🙂'.repeat(100_000)]
      for (const [index, content] of contents.entries())
        await store.attach('run-1', { digest: `d${index}`, content })
      const attachments = await store.attachmentsOf('run-1')
      expect(attachments.map(({ content }) => content)).toEqual(contents)
    })
  })
}

const everyField: Verdict = {
  verifier: 'npm test \0 \ud800 ünï',
  status: 'failed',
  reason: 'one test fails',
  canRetry: false,
  score: 0.25,
  qualifiers: ['flaky', 'pre-existing'],
  evidence: [
    ...failedVerdict('npm test').evidence,
    { kind: 'note', text: 'a zero \0 and half a character \ud800' },
    {
      kind: 'tests',
      format: 'junit',
      counts: { passed: 1, failed: 1, errored: 0, skipped: 1, total: 3 },
      failed: [{ name: 'adds', file: 'a.test.ts', line: 3, message: 'expected 2' }],
      skipped: ['subtracts'],
      executedDigests: ['0123456789ab'],
    },
    { kind: 'file', path: 'dist/a.js', digest: null, bytes: 0 },
    { kind: 'measure', name: 'similarity', value: 0.6, bound: 0.7 },
    {
      kind: 'finding',
      rule: 'tests.newly-skipped',
      response: 'refuse',
      message: 'a test was skipped',
      why: 'it would fail',
      path: 'a.test.ts',
      line: 3,
      waiver: { by: 'Ada', until: '2026-12-31', reason: 'known' },
    },
  ],
  durationMs: 12.5,
  costUsd: 0.01,
  fingerprint: 'tree-1',
}

export function rememberedVerdictContract(it: StoreTest): void {
  describe('given verdicts that were remembered', () => {
    it('recalls them whole, under the very key they were given', async (store) => {
      await store.remember('key-1', everyField)
      expect(await store.recall('key-1')).toEqual(everyField)
      for (const other of ['', 'key-2', 'key-1 ', 'KEY-1', 'key-1\0'])
        expect(await store.recall(other)).toBeUndefined()
    })

    it('takes keys of any characters for different ones', async (store) => {
      const keys = ['', 'a', 'a\0', 'a\0b', '\ud800', '\udfff', '\ufffd', '__proto__', "' OR 1=1"]
      for (const key of keys) await store.remember(key, passedVerdict(key))
      for (const key of keys) expect((await store.recall(key))?.verifier).toBe(key)
    })

    it('is not changed through a verdict that it was given or gave out', async (store) => {
      const given = { ...passedVerdict('lint') }
      await store.remember('key-1', given)
      Object.assign(given, { status: 'failed' })
      Object.assign((await store.recall('key-1')) ?? {}, { status: 'error' })
      expect(await store.recall('key-1')).toEqual(passedVerdict('lint'))
    })
  })

  describe('given nonsense for a verdict, or a store that was closed', () => {
    it('refuses a verdict that could not be read again', async (store) => {
      const nonsense = [
        passedVerdict('lint', { durationMs: Number.NaN }),
        passedVerdict('lint', { durationMs: Number.POSITIVE_INFINITY }),
        passedVerdict('lint', { score: 2 }),
      ]
      for (const verdict of nonsense) {
        await expect(store.remember('key-1', verdict)).rejects.toThrow(TypeError)
      }
      expect(await store.recall('key-1')).toBeUndefined()
    })
  })
}

const idsOf = async (store: Store, query: Partial<RunQuery> = {}) =>
  (await store.listPage({ limit: 10, ...query })).runs.map(({ runId }) => runId)

async function keepFour(store: Store): Promise<void> {
  const capped = runStopped('hard_cap', { outcome: 'exhausted', cap: 'tokens' })
  const stories = {
    'run-a': [runStarted({ tags: ['nightly', 'memory=on'] }), goalSet('Mend the Äpfel'), capped],
    'run-b': [runStarted({ tags: ['night'] }), goalSet('add prices')],
    'run-c': [runStarted({ agent: { ...runStarted().agent, name: checksOnly } }), goalSet('check it')],
    'run-d': [runStarted(), goalSet('100 %'), runStopped('blocked', { outcome: 'blocked' })],
  }
  for (const [index, [runId, facts]] of Object.entries(stories).entries())
    await store.append(0, stamp(facts, { runId, startMs: 1000 * (index + 1) }), null)
}

interface Paging {
  readonly startsMs: readonly number[]
  readonly limit: number
  readonly meanwhile: readonly number[]
}

const anyPaging = fc.record<Paging>({
  startsMs: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 12 }),
  limit: fc.integer({ min: 1, max: 5 }),
  meanwhile: fc.array(fc.integer({ min: 0, max: 14 }), { maxLength: 12 }),
})

/** Pages through a changing list: the pages equal the original list. */
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
      expect(await idsOf(store, { tag: 'night' })).toEqual(['run-b'])
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
