import { describe, expect, it } from 'vitest'
import { replyRecord } from '../records.ts'

const spoken = (text: string) => replyRecord(3, { text, calls: 1, claimed: false, sequence: 7 })

describe('given what a drive said', () => {
  it('keeps what is needed to see it again, and not the text', () => {
    const record = spoken('I look at the tests.')
    expect(record).toMatchObject({ turn: 3, sequence: 7, calls: 1, claimed: false, characters: 20 })
    expect(JSON.stringify(record)).not.toContain('look')
    expect(JSON.stringify(spoken('x y z '.repeat(100_000))).length).toBeLessThan(600)
  })

  it('an empty text is empty', () => {
    for (const text of ['', ' \n\t']) expect(spoken(text)).toMatchObject({ text: '' })
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
