import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from './rounds.ts'

describe('given a cycle of any period', () => {
  it('counts each of its rounds once, when it is whole', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 4 }),
        fc.nat({ max: 9 }),
        fc.nat({ max: 5 }),
        (period, times, before) => {
          const counter = rounds(4)
          const names = ['a', 'b', 'c', 'd'].slice(0, period)
          const prefix = Array.from({ length: before }, (_, at) => `before ${at}`)
          const keys = [...prefix, ...Array.from({ length: times }, () => names).flat()]
          const counts = keys.map((key) => counter.next(key)).filter((count) => count > 0)
          expect(counts).toEqual(Array.from({ length: Math.max(0, times - 1) }, (_, at) => at + 2))
        },
      ),
    )
  })

  it('does not take equal keys for a cycle', () => {
    const counter = rounds(4)
    expect(Array.from({ length: 30 }, () => counter.next('a'))).toEqual(Array.from({ length: 30 }, () => 0))
  })
})
