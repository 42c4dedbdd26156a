import { it as property, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { casesToDecide, differenceInterval, fisherTest, permutationTest } from './difference.ts'

const cases = (part: number, whole: number) => ({ part, whole })
const anyCases = fc.tuple(fc.nat(40), fc.nat(40)).map(([part, rest]) => cases(part, part + rest))

/** Straight from the definition: a binomial as a product, every table of these margins. */
function slowFisher(one: ReturnType<typeof cases>, other: ReturnType<typeof cases>): number {
  const choose = (from: number, some: number): number =>
    some < 0 || some > from
      ? 0
      : Array.from({ length: some }, (_, index) => (from - index) / (index + 1)).reduce((a, b) => a * b, 1)
  const passed = one.part + other.part
  const of = (part: number) =>
    (choose(one.whole, part) * choose(other.whole, passed - part)) / choose(one.whole + other.whole, passed)
  const all = Array.from({ length: one.whole + 1 }, (_, part) => of(part))
  return all
    .filter((probability) => probability <= of(one.part) * (1 + 1e-9))
    .reduce((sum, value) => sum + value, 0)
}

describe('given shares of two samples', () => {
  it.each([
    // The lady tasting tea, and tables whose values stand in textbooks.
    [3, 4, 1, 4, 0.4857],
    [1, 12, 9, 12, 0.0027595],
    [8, 10, 1, 6, 0.034965],
    [0, 5, 5, 5, 0.0079365],
    [5, 5, 5, 5, 1],
    [0, 0, 3, 9, 1],
  ])('%i of %i against %i of %i: p is %f', (a, allA, b, allB, p) => {
    expect(fisherTest(cases(a, allA), cases(b, allB))).toBeCloseTo(p, 4)
  })

  property.prop([anyCases, anyCases])('the test is that of its definition', (one, other) => {
    expect(fisherTest(one, other)).toBeCloseTo(slowFisher(one, other), 8)
  })

  property.prop([anyCases, anyCases])('which side is called A does not matter to the test', (one, other) => {
    expect(fisherTest(one, other)).toBeCloseTo(fisherTest(other, one), 8)
    expect(casesToDecide(one, other)).toBe(casesToDecide(other, one))
  })

  it('large samples are tested exactly too', () => {
    expect(fisherTest(cases(25_000, 50_000), cases(25_600, 50_000))).toBeCloseTo(0.00015, 4)
  })

  it.each([
    // Newcombe (1998), table II, method 10, with the sides exchanged.
    [48, 80, 56, 70, -0.3339, -0.0524],
    [3, 10, 9, 10, -0.809, -0.1705],
    [2, 84, 6, 82, -0.1246, 0.019],
    [0, 10, 5, 56, -0.1926, 0.1976],
    [10, 10, 0, 10, 0.6075, 1],
  ])('the difference of %i of %i and %i of %i lies between %f and %f', (b, allB, a, allA, low, high) => {
    const interval = differenceInterval(cases(a, allA), cases(b, allB))
    expect(interval.low).toBeCloseTo(low, 2)
    expect(interval.high).toBeCloseTo(high, 2)
  })

  it.each([
    // The usual tables: 5 %, two-sided, power 80 %, corrected.
    [50, 60, 408],
    [10, 20, 219],
    [5, 10, 474],
    [0, 100, 4],
  ])('%i against %i of a hundred need %i cases a side', (a, b, needed) => {
    expect(casesToDecide(cases(a, 100), cases(b, 100))).toBe(needed)
  })

  it('what is the same, or has no case, is decided by no number of cases', () => {
    expect(casesToDecide(cases(5, 10), cases(50, 100))).toBeUndefined()
    expect(casesToDecide(cases(0, 0), cases(50, 100))).toBeUndefined()
  })
})

describe('given values of two samples', () => {
  it('those that lie apart differ, and the same values do not', () => {
    const low = Array.from({ length: 20 }, (_, index) => index)
    const high = low.map((value) => value + 15)
    expect(permutationTest(low, high)).toBeLessThan(0.001)
    expect(permutationTest(low, low.toReversed())).toBe(1)
    expect(permutationTest([], low)).toBe(1)
  })

  it('of four values the test is near the exact one: two of six ways are as far apart', () => {
    expect(permutationTest([1, 2], [3, 4], 4000)).toBeCloseTo(1 / 3, 1)
  })

  property.prop([
    fc.array(fc.nat(9), { minLength: 1, maxLength: 12 }),
    fc.array(fc.nat(9), { minLength: 1, maxLength: 12 }),
  ])('the test is the same the next time, and leaves the values as they are', (one, other) => {
    const [before, p] = [[...one], permutationTest(one, other, 200)]
    expect(permutationTest(one, other, 200)).toBe(p)
    expect(one).toEqual(before)
    expect(p).toBeGreaterThan(0)
    expect(p).toBeLessThanOrEqual(1)
  })

  it('where nothing differs, one in twenty is said to', () => {
    const draws = Array.from({ length: 200 }, (_, seed) =>
      Array.from({ length: 24 }, (_, index) => ((seed * 7919 + index * 104_729) * 2_654_435_761) % 1000),
    )
    const said = draws.filter((values) => permutationTest(values.slice(0, 12), values.slice(12), 400) < 0.05)
    expect(said.length).toBeLessThanOrEqual(24)
  })
})
