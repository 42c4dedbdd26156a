import { it as property, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { randomNumbers, wilsonInterval } from './intervals.ts'

const counts = fc.tuple(fc.nat(300), fc.nat(300)).map(([agreed, not]) => [agreed, agreed + not] as const)

describe('given a share of cases', () => {
  it.each([
    [0, 10, 0, 0.2775],
    [8, 10, 0.4902, 0.9433],
    [10, 10, 0.7225, 1],
    [85, 100, 0.7672, 0.9069],
    [520, 575, 0.8776, 0.9258],
  ])('%i of %i lie between %f and %f', (successes, cases, low, high) => {
    const interval = wilsonInterval(successes, cases)
    expect(interval.low).toBeCloseTo(low, 3)
    expect(interval.high).toBeCloseTo(high, 3)
  })

  property.prop([counts])('the interval holds the share, and lies within 0 and 1', ([successes, cases]) => {
    const { low, high } = wilsonInterval(successes, cases)
    const share = cases === 0 ? 0.5 : successes / cases
    expect(low).toBeGreaterThanOrEqual(0)
    expect(low).toBeLessThanOrEqual(share)
    expect(high).toBeGreaterThanOrEqual(share)
    expect(high).toBeLessThanOrEqual(1)
  })
})

describe('given a ratio of two sums', () => {
  property.prop([fc.integer(), fc.integer({ min: 1, max: 30 })])(
    'numbers of one seed are the same numbers, of at least 0 and less than 1',
    (seed, count) => {
      const draw = () => Array.from({ length: count }, randomNumbers(seed))
      expect(draw()).toEqual(draw())
      expect(draw().every((number) => number >= 0 && number < 1)).toBe(true)
    },
  )
})
