import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wrapLines, wrapText } from './wrap.ts'

const text = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 30 })

describe('given a text and a width', () => {
  it('then a line is as long as it may be, and no longer', () => {
    expect(wrapText('one two three', 7)).toEqual(['one two', 'three'])
    expect(wrapText('one two three', 6)).toEqual(['one', 'two', 'three'])
    expect(wrapText('', 6)).toEqual([])
  })

  it('then only a word that is too long makes a line too long, and no word is lost', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (words, width) => {
        const lines = wrapText(words.join(' '), width)
        for (const line of lines) expect(line.length <= width || !line.includes(' ')).toBe(true)
        expect(lines.join(' ')).toBe(words.join(' '))
      }),
    )
  })
})

describe('given a line that is too long for a terminal', () => {
  it.each([
    ['  ✗ one two three four five', ['  ✗ one two three four', '    five']],
    ['  | said at great length okay', ['  | said at great length', '  | okay']],
    ['     1.25    ! one two three four', ['     1.25    ! one two three', `${' '.repeat(15)}four`]],
    ['日本語 日本語 日本語 日本語', ['日本語 日本語 日本語', '日本語']],
    ['fits as it   is', ['fits as it   is']],
  ])('%j goes on below, indented as it began', (line, lines) => {
    expect(wrapLines(line, 26).split('\n')).toEqual(lines)
  })
})
