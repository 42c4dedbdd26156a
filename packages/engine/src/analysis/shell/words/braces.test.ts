import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expandBraces } from './braces.ts'

describe('given a word with braces', () => {
  it.each([
    ['a{b,c}d', ['abd', 'acd']],
    ['{a,{b,c}}', ['a', 'b', 'c']],
    ['{a}{b,c}', ['{a}b', '{a}c']],
    ['{x{a,b}}', ['{xa}', '{xb}']],
    ['{,a}', ['', 'a']],
    ['${a,b}', ['${a,b}']],
    ['$(a {b,c})', ['$(a {b,c})']],
    [`{'a,b',"c,d"}`, [`'a,b'`, `"c,d"`]],
    ['\\{a,b}', ['\\{a,b}']],
    ['{a\\,b,c}', ['a\\,b', 'c']],
    ['{3..1}', ['3', '2', '1']],
    ['{-1..1}', ['-1', '0', '1']],
    ['{08..10}', ['08', '09', '10']],
    ['{a..e..2}', ['a', 'c', 'e']],
    ['{1..a}', ['{1..a}']],
    ['{a,b', ['{a,b']],
  ])('expands %s', (text, words) => expect(expandBraces(text)).toEqual(words))

  it('gives up where there would be too many', () => {
    expect(expandBraces('{1..65}')).toBeUndefined()
    expect(expandBraces('{a,b}'.repeat(7))).toBeUndefined()
    expect(expandBraces('{'.repeat(5_000))).toBeUndefined()
  })

  it('never makes more than it may of anything', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom('{', '}', ',', '..', 'a', '1', '$', '(', ')', "'", '"', '\\', '`'))
          .map((parts) => parts.join('')),
        (text) => {
          expect(expandBraces(text)?.length ?? 1).toBeLessThanOrEqual(64)
        },
      ),
    )
  })
})
