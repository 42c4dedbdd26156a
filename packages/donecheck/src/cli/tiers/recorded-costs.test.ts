import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { RunSummary } from '@donecheck/engine/ports/store'
import type { Verdict } from '@donecheck/core/verdicts'
import { failedVerdict, passedVerdict, runStarted, skippedVerdict, stamp } from '@donecheck/core/testing'
import { costsOf, recordedCosts } from './tiers-of.ts'

const took = (durationMs: number, more: Partial<Verdict> = {}) => ({
  ...passedVerdict('npm test', { durationMs }),
  ...more,
})

describe('given verdicts of one check', () => {
  it('then its cost is the median of what it really took, whatever it said', () => {
    const verdicts = [took(1000), failedVerdict('npm test', { durationMs: 9000 }), took(2000)]
    expect(costsOf(verdicts).get('npm test')).toEqual({ verdicts: 3, medianSeconds: 2, medianCostUsd: null })
  })

  it('then what was taken again, or left out, does not count', () => {
    const free = [took(0, { qualifiers: ['cached'] }), skippedVerdict('npm test', { durationMs: 0 })]
    expect(costsOf([...free, took(4000)]).get('npm test')).toMatchObject({ verdicts: 1, medianSeconds: 4 })
    expect(costsOf(free).has('npm test')).toBe(false)
  })

  it('then money is the median of the prices that are known', () => {
    const verdicts = [
      took(1, { costUsd: 0.01 }),
      took(1),
      took(1, { costUsd: 0.03 }),
      took(1, { costUsd: 0.02 }),
    ]
    expect(costsOf(verdicts).get('npm test')?.medianCostUsd).toBe(0.02)
  })
})

test.prop([fc.array(fc.nat(), { minLength: 1 })])(
  'a median is one of the times, in whatever order they came',
  (times) => {
    const medianOf = (given: readonly number[]) =>
      costsOf(given.map((ms) => took(ms))).get('npm test')?.medianSeconds
    expect(times.map((ms) => ms / 1000)).toContain(medianOf(times))
    expect(medianOf(times.toReversed())).toBe(medianOf(times))
  },
)

const summary: RunSummary = {
  ...{ runId: '', startedAtMs: 0, updatedAtMs: 0, events: 2, task: '', workFolder: null, drive: undefined },
  ...{ reason: undefined, outcome: undefined, cap: undefined, detector: undefined, labels: [] },
}

describe('given runs on record', () => {
  const verdict = took(3000)
  const events = stamp([
    runStarted({ verifiers: ['npm test'] }),
    { type: 'verdict-given', verdict },
    { type: 'reply-judged', attempt: 1, verdict: { ...verdict, verifier: 'judge' } },
  ])

  it('then those that were recorded here are read, as far as they can be', async () => {
    const runs = [
      { ...summary, runId: 'own' },
      { ...summary, runId: 'elsewhere', imported: true as const },
      { ...summary, runId: 'broken' },
    ]
    const costs = await recordedCosts({
      list: async () => runs,
      readAsFar: async (runId) =>
        runId === 'elsewhere'
          ? Promise.reject(new TypeError('nobody asks for it'))
          : { events: runId === 'own' ? events : events.slice(0, 2), problem: undefined },
    })
    expect(costs.get('npm test')).toMatchObject({ verdicts: 2, medianSeconds: 3 })
    expect(costs.get('judge')).toMatchObject({ verdicts: 1 })
  })
})
