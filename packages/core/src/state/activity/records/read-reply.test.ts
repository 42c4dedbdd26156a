import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replyRecord, similarity } from './read-reply.ts'

const spoken = (text: string) => replyRecord(3, { text, calls: 1, claimed: false, sequence: 7 })

describe('given what a drive said', () => {
  it('keeps what is needed to see it again, and not the text', () => {
    const record = spoken('I look at the tests.')
    expect(record).toMatchObject({ turn: 3, sequence: 7, calls: 1, claimed: false, characters: 20, words: 5 })
    expect(JSON.stringify(record)).not.toContain('look')
    expect(JSON.stringify(spoken('x y z '.repeat(100_000))).length).toBeLessThan(600)
  })

  it('an empty text is empty', () => {
    for (const text of ['', ' \n\t']) expect(spoken(text)).toMatchObject({ text: '', words: 0, sketch: [] })
  })

  it.each([
    ['case and spaces', 'I look  at\nthe TESTS.'],
    ['a count in front', '12. I look at the tests.'],
    ['a count in brackets', '(3) I look at the tests.'],
    ['a count behind', 'I look at the tests. 4'],
    ['a numbered end', 'I look at the tests. (4)'],
  ])('%s makes no difference', (_, text) => {
    expect(spoken(text).text).toBe(spoken('I look at the tests.').text)
  })

  it.each([
    ['a time', 'It began at 12:30:01.', 'It began at 18:02:44.'],
    ['an attempt', 'I try again (attempt 3).', 'I try again (attempt 4).'],
  ])('nor does %s', (_, one, other) => {
    expect(spoken(one).text).toBe(spoken(other).text)
  })

  it.each([
    ['a number that is said', 'The answer is 41.', 'The answer is 42.'],
    ['a number behind a colon', 'The answer is: 41', 'The answer is: 42'],
    ['a number in front', '41 is the answer.', '42 is the answer.'],
    ['a word', 'I look at the tests.', 'I look at the text.'],
    ['a share', '12 % of the tests pass', '13 % of the tests pass'],
  ])('%s makes one', (_, one, other) => {
    expect(spoken(one).text).not.toBe(spoken(other).text)
  })
})

const words = fc.array(
  fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split('').map((letter) => letter.repeat(4))),
  {
    minLength: 40,
    maxLength: 120,
  },
)

describe('given two texts', () => {
  it('are wholly alike when they are equal', () => {
    fc.assert(
      fc.property(words, (one) => {
        const { sketch } = spoken(one.join(' '))
        expect(similarity(sketch, spoken(one.join('  ')).sketch)).toBe(1)
      }),
    )
  })

  it('with nothing in common are hardly alike', () => {
    const one = Array.from(
      { length: 200 },
      (_, index) => `one${String.fromCharCode(97 + (index % 26))}${index}`,
    )
    const other = one.map((word) => `other${word}`)
    expect(similarity(spoken(one.join(' ')).sketch, spoken(other.join(' ')).sketch)).toBeLessThan(0.2)
  })

  it('the estimate is near the share of pieces that they have in common', () => {
    const text = (from: number) =>
      Array.from({ length: 300 }, (_, index) => `w${'abcdefghij'[(index + from) % 10] ?? ''}${index + from}x`)
    let error = 0
    for (let shift = 0; shift <= 150; shift += 10) {
      const isCommon = (300 - shift) / (300 + shift)
      const one = spoken(text(0).join(' ')).sketch
      error += Math.abs(similarity(one, spoken(text(shift).join(' ')).sketch) - isCommon)
    }
    expect(error / 16).toBeLessThan(0.15)
  })

  it('texts of two words have no pieces, and are not alike', () => {
    expect(similarity(spoken('two words').sketch, spoken('two words').sketch)).toBe(0)
  })
})
