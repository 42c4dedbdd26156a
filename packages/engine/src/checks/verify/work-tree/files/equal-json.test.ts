import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equalJson } from './equal-json.ts'

describe('given two values', () => {
  it.each([
    [1, true],
    [0, false],
    [1, '1'],
    [null, 0],
    [null, undefined],
    [Number.NaN, Number.NaN],
    [[], {}],
    [[1], [1, 2]],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: undefined }, {}],
    [{ a: 1 }, { b: 1 }],
    ['', null],
  ])('tells %j from %j, both ways', (one, other) => {
    expect(equalJson(one, other)).toBe(false)
    expect(equalJson(other, one)).toBe(false)
  })

  it('finds JSON equal to its copy, in any order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const copy: unknown = JSON.parse(JSON.stringify(value))
        expect(equalJson(copy, JSON.parse(JSON.stringify(value)))).toBe(true)
      }),
    )
    expect(equalJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true)
  })

  it('agrees with the texts of two values without order', () => {
    const leaf = fc.constantFrom(0, 1, true, false, null, '', '1')
    const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 2 }))
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(equalJson(one, other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
    )
  })
})
