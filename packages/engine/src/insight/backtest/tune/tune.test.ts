import { it as property, fc } from '@fast-check/vitest'
import { standardLoopDetection } from '@donecheck/core/detectors'
import { standardStagnation } from '@donecheck/core/soft-verifiers'
import { noCaps } from '@donecheck/core/testing'
import { describe, expect, it } from 'vitest'
import { madeRun } from '../../../testing/index.ts'
import { stepsOf } from '../../recordings/index.ts'
import type { StopPolicy } from '../replay/policy.ts'
import { dialsFor, isBetter, tune, type Choice } from './tune.ts'

/** So many calls, each another one. */
function recorded(calls: number, resolved: boolean) {
  const run = madeRun(
    Array.from({ length: calls }, (_, index) => `bash ${index} ${index}`),
    { id: `${calls} ${resolved}`, outcome: { resolved } },
  )
  return { run, steps: stepsOf(run) }
}

const off: StopPolicy['soft'] = {
  loopDetection: { ...standardLoopDetection, mode: 'off' },
  stagnation: { ...standardStagnation, mode: 'off' },
  tokenBudget: null,
}

const policyOf = (choice: Choice) => ({
  name: 'candidate',
  caps: { ...noCaps, maxIterations: choice['maxIterations'] ?? null },
  soft: off,
})
const dials = [{ key: 'maxIterations', values: [5, 10, 15, 20] }]

describe('given runs that reach their goal in ten turns, and others that go on', () => {
  const runs = [recorded(8, true), recorded(10, true), recorded(30, false)]

  it('finds the lowest cap that loses none', () => {
    const { choice, before, after } = tune({ runs, dials, policyOf, maxFalseStops: 0 })
    expect(choice).toEqual({ maxIterations: 10 })
    expect(before).toEqual({ falseStops: 0, saved: 0 })
    expect(after).toEqual({ falseStops: 0, saved: 20 / 30 })
  })

  it('loses as many as it may, and no more', () => {
    expect(tune({ runs, dials, policyOf, maxFalseStops: 1 }).choice).toEqual({ maxIterations: 5 })
  })

  it('changes nothing without a gain, and tries nothing that contradicts itself', () => {
    const short = [recorded(4, true), recorded(4, false)]
    expect(tune({ runs: short, dials, policyOf, maxFalseStops: 0 })).toMatchObject({ choice: {}, tried: 5 })
    const refused = tune({ runs, dials, policyOf: () => undefined, maxFalseStops: 0 })
    expect(refused).toMatchObject({ choice: {}, tried: 0 })
  })

  it('has dials around what successful runs took, and none for scores that nobody gave', () => {
    const keys = dialsFor(runs).map(({ key }) => key)
    expect(keys).toContain('maxTurns')
    expect(keys.some((key) => key.startsWith('stagnation'))).toBe(false)
    expect(dialsFor(runs).find(({ key }) => key === 'maxTurns')?.values).toContain(10)
  })
})

const merit = fc.record({
  falseStops: fc.double({ min: 0, max: 1, noNaN: true }),
  saved: fc.double({ min: 0, max: 1, noNaN: true }),
})

property.prop([merit, merit, fc.double({ min: 0, max: 1, noNaN: true })])(
  'of two merits at most one is better, and never one beyond the bound than one within it',
  (one, other, bound) => {
    expect(isBetter(one, other, bound) && isBetter(other, one, bound)).toBe(false)
    if (one.falseStops > bound && other.falseStops <= bound) expect(isBetter(one, other, bound)).toBe(false)
  },
)
