import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leftWords, trendOf, type LeftReading } from './left.ts'

const readings = (...failing: readonly number[]): readonly LeftReading[] =>
  failing.map((failingTests, index) => ({ turn: index + 1, failingTests, openParts: 0 }))

describe('given what was left after each verification', () => {
  it.each<[string, readonly number[], string | undefined]>([
    ['nothing to compare with', [5], undefined],
    ['fewer than ever lately', [5, 4, 3], 'falling'],
    ['as many as before', [5, 4, 4], 'stuck'],
    ['up and down', [5, 3, 4, 3], 'stuck'],
    ['more than lately', [3, 3, 5], 'growing'],
  ])('%s', (_, failing, trend) => {
    expect(trendOf(readings(...failing))).toBe(trend)
  })

  it('says what it is made of', () => {
    const latest = { turn: 4, failingTests: 1, openParts: 2 }
    expect(leftWords([...readings(3), latest])).toBe(
      '1 failing test, 2 open parts (3 after turn 1, 3 after turn 4: stuck)',
    )
  })

  it('says nothing where nothing is left', () => {
    expect(leftWords(readings(3, 0))).toBeUndefined()
    expect(leftWords([])).toBeUndefined()
  })

  it('calls it falling only where less is left than just before, whatever came earlier', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 2 }), (failing) => {
        const [before = 0, now = 0] = failing.slice(-2)
        if (trendOf(readings(...failing)) === 'falling') expect(now).toBeLessThan(before)
        if (trendOf(readings(...failing)) === 'growing') expect(now).toBeGreaterThan(before)
      }),
    )
  })
})
