import { it as property, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { wilsonInterval } from '../../base/index.ts'
import { cohenKappa, type RatedPair } from './calibration.ts'

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
