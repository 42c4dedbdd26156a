import { describe, expect, it } from 'vitest'
import { findBrokenBound, showBounds } from './bounds.ts'

describe('given bounds', () => {
  it.each([
    [{ min: 1 }, 1],
    [{ max: 1 }, 1],
    [{ min: 1, max: 2 }, 1],
  ])('finds NaN outside of %j', (bounds, broken) => {
    expect(findBrokenBound(Number.NaN, bounds)).toBe(broken)
  })

  it('takes the ends in', () => {
    expect([1, 2].map((value) => findBrokenBound(value, { min: 1, max: 2 }))).toEqual([undefined, undefined])
    expect([0.9, 2.1].map((value) => findBrokenBound(value, { min: 1, max: 2 }))).toEqual([1, 2])
  })

  it('shows them in words', () => {
    expect([{ min: 1 }, { max: 2 }, { min: 1, max: 2 }].map(showBounds)).toEqual([
      'at least 1',
      'at most 2',
      '1 to 2',
    ])
  })
})
