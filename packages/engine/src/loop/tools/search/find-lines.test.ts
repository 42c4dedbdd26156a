import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineFinder, PatternTimeout } from './find-lines.ts'

const plain = { isRegex: false, ignoreCase: false }
const generousMs = 60_000

describe('given a text to search', () => {
  it('finds lines by plain text: nothing in it has another meaning', () => {
    const finder = lineFinder({ ...plain, pattern: 'a.(b' }, generousMs)
    expect(finder.find('axb\r\n  a.(b\r\n', 9)).toEqual([{ line: 2, column: 2, text: '  a.(b' }])
  })

  it('finds lines by an expression, in upper and lower case', () => {
    const finder = lineFinder({ pattern: '^A+$', isRegex: true, ignoreCase: true }, generousMs)
    expect(finder.find('aa\r\nab\nA', 9).map(({ line }) => line)).toEqual([1, 3])
  })

  it('finds as many as asked for', () => {
    expect(lineFinder({ ...plain, pattern: 'a' }, generousMs).find('a\na\na', 2)).toHaveLength(2)
  })

  it('refuses what is no expression', () => {
    expect(() => lineFinder({ ...plain, isRegex: true, pattern: '(' }, generousMs)).toThrow(SyntaxError)
  })

  const line = fc.string({ unit: fc.constantFrom('a', 'b', '.', '\\', '(', '$') })
  test.prop([fc.array(line), line.filter((text) => text !== '')])(
    'a plain text is found where it is',
    (lines, pattern) => {
      const found = lineFinder({ ...plain, pattern }, generousMs).find(lines.join('\n'), Infinity)
      const expected = lines.flatMap((text, index) =>
        text.includes(pattern) ? [[index + 1, text.indexOf(pattern)]] : [],
      )
      expect(found.map(({ line: number, column }) => [number, column])).toEqual(expected)
    },
  )
})

describe('given an expression that takes for ever', () => {
  it.each(['(a+)+$', '(a|a)*$', '(.*a){30}$', '^(([a-z])+.)+[A-Z]([a-z])+$'])('%s is stopped', (pattern) => {
    const finder = lineFinder({ pattern, isRegex: true, ignoreCase: false }, 50)
    expect(() => finder.find(`${'a'.repeat(200)}!`, 9)).toThrow(PatternTimeout)
    expect(() => finder.find('a', 9)).toThrow(PatternTimeout)
  })
})
