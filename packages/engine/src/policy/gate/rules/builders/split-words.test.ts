import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitWords } from './rule-parts.ts'

describe('given a line that is split as a shell would', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['git push  origin', ['git', 'push', 'origin']],
    ['a \'b c\' "d e"', ['a', 'b c', 'd e']],
    ["a''b", ['ab']],
    ["''", ['']],
    ['a\\ b', ['a b']],
    ['a\\\nb', ['ab']],
    ['a\nb\tc', ['a', 'b', 'c']],
    ['a # rest\nb', ['a', 'b']],
    ['a#b', ['a#b']],
    ['"\\$x \\n \\""', ['$x \\n "']],
    ['$x *', ['$x', '*']],
    ['# only', []],
    ['', []],
    ["a 'b", undefined],
    ['a "b', undefined],
    ['a "b\\', undefined],
    ['a\\', undefined],
  ])('%j gives %j', (line, words) => {
    expect(splitWords(line)).toEqual(words)
  })

  it('quoted words come back as they were', () => {
    const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        expect(splitWords(words.map(quote).join(' '))).toEqual(words)
      }),
    )
  })

  it('no line makes it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '\\', '\n', '#') }), (line) => {
        const words = splitWords(line)
        expect(words === undefined || words.join('').length <= line.length).toBe(true)
      }),
    )
  })
})
