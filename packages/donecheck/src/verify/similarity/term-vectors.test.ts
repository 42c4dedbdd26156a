import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cosineOf, termVectors, wordsOf } from './term-vectors.ts'

const text = fc
  .array(fc.constantFrom('red', 'green', 'blue', 'naïve', '42', '!'), { minLength: 1 })
  .map((words) => words.join(' '))

function similarity(one: string, other: string): number {
  const [first = new Map(), second = new Map()] = termVectors([one, other])
  return cosineOf(first, second)
}

describe('words', () => {
  it('are letters and digits of any script, in lower case', () => {
    expect(wordsOf('Ｄone: naïve café, №42! Готово 完了')).toEqual([
      'done',
      'naïve',
      'café',
      'no42',
      'готово',
      '完了',
    ])
    expect(wordsOf(' … !')).toEqual([])
  })
})

describe('vectors of words', () => {
  it('weigh a word by its count and its rarity, as the formula says', () => {
    const [first] = termVectors(['a a b', 'a'])
    expect(first?.get('a')).toBeCloseTo(2)
    expect(first?.get('b')).toBeCloseTo(Math.log(3 / 2) + 1)
  })

  test.prop([text, text])('are as similar one way as the other, from 0 to 1', (one, other) => {
    const value = similarity(one, other)
    expect(value).toBeCloseTo(similarity(other, one), 12)
    expect(value).toBeGreaterThanOrEqual(0)
    expect(value).toBeLessThanOrEqual(1)
  })

  test.prop([text, fc.constantFrom(' ', '\n', '. ')])('do not see order, case or marks', (given, gap) => {
    const other = given.toUpperCase().split(' ').reverse().join(gap)
    expect(similarity(given, other)).toBeCloseTo(wordsOf(given).length === 0 ? 0 : 1, 12)
  })

  it('share nothing where no word is shared', () => {
    expect(similarity('red green', 'blue')).toBe(0)
  })
})
