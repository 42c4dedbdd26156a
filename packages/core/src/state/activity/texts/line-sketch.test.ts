import { describe, expect, it } from 'vitest'
import { lineSketch, saysNearlyTheSame } from '../texts.ts'

const page = (count: number, more = '') =>
  Array.from(
    { length: count },
    (_, at) => `a line about ${'abcdefghijklmnopqrstuvwxyz'[at % 26] ?? ''}${'x'.repeat(at)}`,
  )
    .concat(more)
    .join('\n')
const isNear = (one: string, other: string) => saysNearlyTheSame(lineSketch(one), lineSketch(other))

describe('given two results', () => {
  it.each([
    ['a counter', 'Nothing found (request 17)', 'Nothing found (request 18)'],
    ['blanks', 'a  b\n\nc', 'a b\nc '],
    ['an advert', page(8, 'Buy a boat'), page(8, 'Buy a house')],
    ['two lines of many', page(40, 'one'), page(40, 'other\nthird')],
  ])('that differ in %s say nearly the same', (_, one, other) => {
    expect(isNear(one, other)).toBe(true)
    expect(isNear(other, one)).toBe(true)
  })

  it.each([
    ['how far something is', '12 of 40 done', '13 of 40 done'],
    ['a share of it', '12/40', '13/40'],
    ['a count of failures', '3 failed', '2 failed'],
    ['a word of few', 'compiled a', 'compiled b'],
    ['one line of few', page(3, 'one'), page(3, 'other')],
    ['half of the lines', page(8), page(16)],
    ['everything', page(30), page(60).split('\n').slice(30).join('\n')],
  ])('that differ in %s do not', (_, one, other) => {
    expect(isNear(one, other)).toBe(false)
  })

  it('a sketch is short, however long the text is', () => {
    expect(lineSketch(page(500)).length).toBeLessThan(16 * 8)
    expect(lineSketch('')).toBe('')
  })
})
