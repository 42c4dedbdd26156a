import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunItem, RunsQuery } from '../data/index.ts'
import { runItem } from './fixtures/run-item.ts'
import { putRun, reasonWords, toneOfOutcome } from './runs.ts'

const run = (runId: string, startedAtMs: number, different: Partial<RunItem> = {}) =>
  runItem({ runId, startedAtMs, ...different })

const all: RunsQuery = { text: '', outcome: '', reason: '', tag: '', open: false }

describe('given a list of runs, latest first', () => {
  const runs = [run('c', 3), run('b', 2), run('a', 1)]

  it('keeps the place of one that changed', () => {
    const changed = putRun(runs, run('b', 2, { outcome: 'verified' }), all)
    expect(changed.map(({ runId, outcome }) => [runId, outcome])).toEqual([
      ['c', null],
      ['b', 'verified'],
      ['a', null],
    ])
  })

  it('stays in order, whatever comes', () => {
    const items = fc.array(
      fc
        .record({ runId: fc.constantFrom('a', 'b', 'c', 'd'), startedAtMs: fc.nat(9) })
        .map((item) => run(item.runId, item.startedAtMs)),
    )
    fc.assert(
      fc.property(items, (arriving) => {
        const list = arriving.reduce<readonly RunItem[]>((known, item) => putRun(known, item, all), [])
        const starts = list.map(({ startedAtMs }) => startedAtMs)
        expect(starts).toEqual(starts.toSorted((one, other) => other - one))
        expect(new Set(list.map(({ runId }) => runId)).size).toBe(list.length)
      }),
    )
  })
})

describe('given the end of a run', () => {
  it('says why, as far as it is known', () => {
    expect(reasonWords({ reason: 'hard_cap', cap: 'iterations', detector: null, waiting: null })).toBe(
      'hard_cap · iterations',
    )
    expect(reasonWords({ reason: null, cap: null, detector: null, waiting: null })).toBe('')
  })

  it('has the tone of its outcome', () => {
    expect(['verified', 'failed', 'something new', null].map(toneOfOutcome)).toEqual([
      'good',
      'bad',
      'quiet',
      'live',
    ])
  })
})
