import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { randomFrom } from './random.ts'

describe('given chance from a seed', () => {
  test.prop([fc.string()])('the same seed draws the same, again and again', (seed) => {
    const [one, other] = [randomFrom(seed), randomFrom(seed)]
    const draw = (random: typeof one) => [
      random.next(),
      random.between(1, 6),
      random.hex(8),
      random.shuffled([1, 2, 3]),
    ]
    expect(draw(one)).toEqual(draw(other))
  })

  test.prop([fc.string(), fc.integer({ min: -50, max: 50 }), fc.nat({ max: 40 })])(
    'a number lies between its ends',
    (seed, low, width) => {
      const random = randomFrom(seed)
      for (let draw = 0; draw < 20; draw += 1) {
        const number = random.between(low, low + width)
        expect(Number.isInteger(number)).toBe(true)
        expect(number).toBeGreaterThanOrEqual(low)
        expect(number).toBeLessThanOrEqual(low + width)
      }
    },
  )

  test.prop([fc.string(), fc.array(fc.nat())])('shuffling keeps every item', (seed, items) => {
    const order = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other)
    expect(order(randomFrom(seed).shuffled(items))).toEqual(order(items))
  })

  it('draws both ends of a range, and about as often as each other', () => {
    const random = randomFrom('ends')
    const draws = Array.from({ length: 2000 }, () => random.between(0, 3))
    for (const number of [0, 1, 2, 3]) {
      expect(draws.filter((draw) => draw === number).length).toBeGreaterThan(400)
    }
  })

  it('refuses to pick from nothing', () => {
    expect(() => randomFrom('nothing').pick([])).toThrow('nothing to pick from')
  })
})
