/** What a Prometheus reads of a store. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Distribution, formatExposition, type Family, storeMetrics } from './index.ts'
import { runStarted, stamp, type Step } from '@donecheck/core/testing'
import {
  goalSet,
  lastTurnEnded,
  modelCalled,
  modelClaimed,
  runResumed,
  runStopped,
} from '@donecheck/core/internal/testing/facts'
import { memoryStore } from '@donecheck/engine/store'

const begun = [runStarted(), goalSet(), modelCalled(1), modelClaimed()]
const capped = [
  lastTurnEnded(1, 'hard_cap'),
  runStopped('hard_cap', { outcome: 'exhausted', cap: 'iterations' }),
]
const done = [lastTurnEnded(2, 'task_complete'), runStopped('task_complete', { outcome: 'verified' })]

/** A store in which runs grow step by step. */
function toldStore() {
  const store = memoryStore()
  const past = new Map<string, readonly Step[]>()
  return {
    store,
    tell: async (runId: string, ...steps: readonly Step[]) => {
      const before = past.get(runId) ?? []
      past.set(runId, [...before, ...steps])
      const events = stamp([...before, ...steps], { runId }).slice(before.length)
      await store.append(before.length, events, null)
    },
  }
}

function samplesOf(text: string): Readonly<Record<string, number>> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  )
}

const cappedName = 'donecheck_runs_total{reason="hard_cap",outcome="exhausted",cap="iterations",detector=""}'
const doneName = 'donecheck_runs_total{reason="task_complete",outcome="verified",cap="",detector=""}'

describe('given a store with runs', () => {
  it('ends are counted by reason and outcome, and what goes on is a gauge', async () => {
    const { store, tell } = toldStore()
    await tell('run-1', ...begun, ...capped)
    await tell('run-2', ...begun)
    const samples = samplesOf(await storeMetrics(store)())
    expect(samples).toMatchObject({
      [cappedName]: 1,
      donecheck_runs_open: 1,
      donecheck_questions_open: 0,
      donecheck_run_duration_seconds_count: 1,
      'donecheck_run_turns_bucket{le="1"}': 1,
    })
    expect(samples['process_resident_memory_bytes']).toBeGreaterThan(0)
  })

  it('what happens later is seen at the next look; no counter falls, and nothing counts twice', async () => {
    const { store, tell } = toldStore()
    const metrics = storeMetrics(store)
    await tell('run-1', ...begun, ...capped)
    await metrics()
    await tell('run-1', runResumed(), modelCalled(2))
    expect(samplesOf(await metrics())).toMatchObject({ [cappedName]: 1, donecheck_runs_open: 1 })
    await tell('run-1', modelClaimed(), ...done)
    const [once, again] = await Promise.all([metrics(), metrics()])
    expect(samplesOf(again)).toMatchObject({
      [cappedName]: 1,
      [doneName]: 1,
      donecheck_runs_open: 0,
      donecheck_run_turns_sum: 2,
      donecheck_run_turns_count: 2,
    })
    expect(samplesOf(once)[doneName]).toBe(1)
  })
})

describe('given the text format', () => {
  it('labels and helps are escaped, whatever they hold', () => {
    const family: Family = {
      ...{ name: 'a', type: 'gauge', help: 'one\nline \\ two' },
      samples: [{ labels: { what: 'a "quoted"\nline \\' }, value: Infinity }],
    }
    expect(formatExposition([family])).toBe(
      '# HELP a one\\nline \\\\ two\n# TYPE a gauge\na{what="a \\"quoted\\"\\nline \\\\"} +Inf\n',
    )
  })

  it('buckets hold all that is at most so large, and the last one everything', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 100, noNaN: true })), (values) => {
        const distribution = new Distribution([1, 10])
        for (const value of values) distribution.add(value)
        const [one, ten, all, , count] = distribution.family('a', '').samples.map(({ value }) => value)
        expect(one).toBe(values.filter((value) => value <= 1).length)
        expect(ten).toBe(values.filter((value) => value <= 10).length)
        expect([all, count]).toEqual([values.length, values.length])
      }),
    )
  })
})
