import { describe, expect, it } from 'vitest'
import { halfOf } from './halves.ts'

describe('the halves of the recorded runs', () => {
  it.each([
    ['mini/1', 'dd', 'report'],
    ['mini/3', '1c', 'tune'],
    ['mini/4', 'e3', 'report'],
    ['mini/5', 'bc', 'tune'],
  ])('puts %s, whose digest begins with %s, into %s', (id, _, half) => {
    expect(halfOf(id)).toBe(half)
  })

  it('puts about half of many runs into each', () => {
    const tuned = Array.from({ length: 2000 }, (_, index) => halfOf(`set/run-${index}`)).filter(
      (half) => half === 'tune',
    )
    expect(tuned.length).toBeGreaterThan(900)
    expect(tuned.length).toBeLessThan(1100)
  })
})
