import { describe, expect, it } from 'vitest'
import { begun, claimed, stamp } from '@donecheck/core/testing'
import { runResumed, runStopped, turnEnded } from '@donecheck/core/internal/testing/facts'
import { CorruptEventError } from '../../base/index.ts'
import { memoryStore } from '../../testing/index.ts'
import { keepRow, knownRuns } from './keep-rows.ts'

const steps = [
  begun(),
  claimed(1),
  turnEnded(1),
  runStopped('hard_cap', { outcome: 'exhausted', cap: 'tokens' }),
]
const events = stamp(steps)

async function storeWithRun() {
  const store = memoryStore()
  await store.append(0, events, null)
  return store
}

describe('given a row that was kept', () => {
  it('then it is taken as it is, and no event is read', async () => {
    const store = await storeWithRun()
    await keepRow(store, 'run-1')
    const unread = { ...store, readAsFar: () => Promise.reject(new TypeError('nobody reads events here')) }
    const { rows, made } = await knownRuns(unread)
    expect(rows).toMatchObject([{ runId: 'run-1', outcome: 'exhausted', cap: 'tokens' }])
    expect(made).toBe(0)
  })

  it('then it is made anew where the run went on', async () => {
    const store = await storeWithRun()
    await keepRow(store, 'run-1')
    const more = stamp([...steps, runResumed(), claimed(2), turnEnded(2)])
    await store.append(events.length, more.slice(events.length), null)
    expect(await knownRuns(store)).toMatchObject({ rows: [{ outcome: null, claims: 2 }], made: 1 })
    expect(await knownRuns(store)).toMatchObject({ made: 0 })
  })

  it.each([
    ['no JSON', 'x{'],
    ['of another version', '{"version":0}'],
    ['of another run', undefined],
  ])('then it is made anew where its text is %s', async (_, text) => {
    const store = await storeWithRun()
    await keepRow(store, 'run-1')
    const [kept] = (await store.runRows(0)).rows
    const damaged = text ?? kept?.text.replace('run-1', 'run-2') ?? ''
    await store.keepRunRows([{ runId: 'run-1', events: events.length, text: damaged }])
    expect(await knownRuns(store)).toMatchObject({ rows: [{ runId: 'run-1', claims: 1 }], made: 1 })
  })
})

describe('given runs to choose from', () => {
  it('then those begun before are left out', async () => {
    const store = await storeWithRun()
    await store.append(0, stamp(steps, { runId: 'run-2', startMs: 5_000_000 }), null)
    expect((await knownRuns(store, 5_000_000)).rows.map(({ runId }) => runId)).toEqual(['run-2'])
  })

  it('then of one that cannot be read to its end what is before it counts, and no row is kept', async () => {
    const store = await storeWithRun()
    const { events: readable } = await store.readAsFar('run-1')
    const problem = new CorruptEventError('run-1', 6, 'a test')
    const damaged = { ...store, readAsFar: async () => ({ events: readable.slice(0, 5), problem }) }
    expect(await knownRuns(damaged)).toMatchObject({ rows: [{ outcome: null }], damaged: 1 })
    expect((await store.runRows(0)).rows).toEqual([])
  })
})
