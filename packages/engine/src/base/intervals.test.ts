import { it as property, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { bootstrapRatio, randomNumbers, wilsonInterval } from './intervals.ts'

const counts = fc.tuple(fc.nat(300), fc.nat(300)).map(([agreed, not]) => [agreed, agreed + not] as const)
const part = fc.tuple(fc.nat(50), fc.nat(50)).map(([some, rest]) => ({ part: some, whole: some + rest }))

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

  it('of no case says nothing', () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 })
  })

  property.prop([counts])('the interval holds the share, and lies within 0 and 1', ([successes, cases]) => {
    const { low, high } = wilsonInterval(successes, cases)
    const share = cases === 0 ? 0.5 : successes / cases
    expect(low).toBeGreaterThanOrEqual(0)
    expect(low).toBeLessThanOrEqual(share)
    expect(high).toBeGreaterThanOrEqual(share)
    expect(high).toBeLessThanOrEqual(1)
  })

  property.prop([counts])('the interval of what is left is its mirror', ([successes, cases]) => {
    const one = wilsonInterval(successes, cases)
    const other = wilsonInterval(cases - successes, cases)
    expect(other.low).toBeCloseTo(1 - one.high, 9)
    expect(other.high).toBeCloseTo(1 - one.low, 9)
  })

  property.prop([counts.filter(([, cases]) => cases > 0)])(
    'ten times the cases narrow it',
    ([successes, cases]) => {
      const few = wilsonInterval(successes, cases)
      const many = wilsonInterval(10 * successes, 10 * cases)
      expect(many.high - many.low).toBeLessThan(few.high - few.low)
    },
  )
})

describe('given a ratio of two sums', () => {
  it('of nothing there is none', () => {
    expect(bootstrapRatio([])).toBeUndefined()
    expect(bootstrapRatio([{ part: 0, whole: 0 }])).toBeUndefined()
  })

  it('is as wide as that of a share, where every case counts alike', () => {
    const cases = Array.from({ length: 200 }, (_, index) => ({ part: index < 60 ? 1 : 0, whole: 1 }))
    const wilson = wilsonInterval(60, 200)
    const { low = 0, high = 0 } = bootstrapRatio(cases) ?? {}
    expect(low).toBeCloseTo(wilson.low, 1)
    expect(high).toBeCloseTo(wilson.high, 1)
  })

  property.prop([fc.array(part, { minLength: 1, maxLength: 20 })])(
    'lies within 0 and 1, and is the same the next time',
    (cases) => {
      const interval = bootstrapRatio(cases, 50)
      expect(bootstrapRatio(cases, 50)).toEqual(interval)
      if (interval === undefined) return
      expect(interval.low).toBeGreaterThanOrEqual(0)
      expect(interval.low).toBeLessThanOrEqual(interval.high)
      expect(interval.high).toBeLessThanOrEqual(1)
    },
  )

  property.prop([fc.integer(), fc.integer({ min: 1, max: 30 })])(
    'numbers of one seed are the same numbers, of at least 0 and less than 1',
    (seed, count) => {
      const draw = () => Array.from({ length: count }, randomNumbers(seed))
      expect(draw()).toEqual(draw())
      expect(draw().every((number) => number >= 0 && number < 1)).toBe(true)
    },
  )
})
