import { it as property, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { cohenKappa, wilsonInterval, type RatedPair } from './agreement.ts'

const counts = fc.tuple(fc.nat(300), fc.nat(300)).map(([agreed, not]) => [agreed, agreed + not] as const)
const word = fc.constantFrom('pass', 'fail', 'undecided')
const pairs: fc.Arbitrary<readonly RatedPair[]> = fc.array(fc.tuple(word, word), {
  minLength: 1,
  maxLength: 60,
})

/** So many pairs of each kind. */
function table(bothYes: number, onlyOne: number, onlyOther: number, bothNo: number): readonly RatedPair[] {
  const some = (count: number, pair: RatedPair) => Array.from({ length: count }, () => pair)
  return [
    ...some(bothYes, ['yes', 'yes']),
    ...some(onlyOne, ['yes', 'no']),
    ...some(onlyOther, ['no', 'yes']),
    ...some(bothNo, ['no', 'no']),
  ]
}

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

describe('given what two raters say', () => {
  it.each([
    ['full agreement', table(5, 0, 0, 5), 1],
    ['full disagreement', table(0, 5, 5, 0), -1],
    ['chance', table(4, 4, 4, 4), 0],
    ['the textbook', table(20, 5, 10, 15), 0.4],
    ['one who always says the same', table(8, 0, 2, 0), 0],
  ])('of %s it is %f', (_, rated, kappa) => {
    expect(cohenKappa(rated)).toBeCloseTo(kappa, 9)
  })

  it.each([[[]], [table(9, 0, 0, 0)]])('there is none where nothing could differ', (rated) => {
    expect(cohenKappa(rated)).toBeNull()
  })

  property.prop([pairs])('it is at most 1, and 1 only where they always agree', (rated) => {
    const kappa = cohenKappa(rated)
    if (kappa === null) return
    expect(kappa).toBeLessThanOrEqual(1)
    expect(Math.abs(1 - kappa) < 1e-12).toBe(rated.every(([one, other]) => one === other))
  })

  property.prop([pairs])('neither the order of raters and cases nor the words matter', (rated) => {
    const kappa = cohenKappa(rated) ?? 2
    const turned = rated.toReversed().map(([one, other]): RatedPair => [`${other}!`, `${one}!`])
    expect(cohenKappa(turned) ?? 2).toBeCloseTo(kappa, 9)
  })
})

/**
 * Verdicts of a model and of people on the same requirements of finished work: both met, people alone, model alone, neither.
 * Counted from metauto-ai/agent-as-a-judge (MIT), gray-box judge against the consensus of people, by agent.
 */
const recorded = {
  'GPT-Pilot': [83, 12, 10, 88],
  MetaGPT: [31, 8, 9, 149],
  OpenHands: [77, 7, 9, 92],
  all: [191, 27, 28, 329],
} as const

describe('given recorded verdicts of people and of a model', () => {
  it.each(Object.entries(recorded))(
    'of %s, two ways to compute it agree',
    (_, [both, people, model, none]) => {
      // The form for two words and two raters, from the products of the table alone.
      const products = both * none - people * model
      const independent =
        (2 * products) / ((both + people) * (people + none) + (both + model) * (model + none))
      expect(cohenKappa(table(both, people, model, none))).toBeCloseTo(independent, 12)
    },
  )

  it('they agree on 520 of 575, far beyond chance', () => {
    expect(cohenKappa(table(...recorded.all))).toBeCloseTo(0.797, 3)
    expect(wilsonInterval(520, 575).low).toBeGreaterThan(0.87)
  })
})
