import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { patchLinesOf, trimBoth, trimEnd } from './file-text.ts'

describe('given white space as Unicode has it', () => {
  it('takes it off at the ends, and nothing else', () => {
    const text = fc.string({
      unit: fc.constantFrom(' ', '\t', '\r', '\u0085', '\ufeff', '\u200b', '\u3000', 'a', '\ud83d\ude00'),
    })
    fc.assert(
      fc.property(text, (whole) => {
        expect(trimEnd(whole)).toBe(whole.replace(/\p{White_Space}+$/u, ''))
        expect(trimBoth(whole)).toBe(whole.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, ''))
      }),
    )
  })
})

describe('given the lines of a patch', () => {
  it('ends them at line feeds, with two carriage returns at most before each', () => {
    expect(patchLinesOf('a\nb\r\nc\r\r\nd\r\r\r\ne\rf\r')).toEqual(['a', 'b', 'c', 'd\r', 'e\rf\r'])
  })

  it('takes other separators for content', () => {
    expect(patchLinesOf('a\u000bb\u0085c\u2028d\f')).toEqual(['a\u000bb\u0085c\u2028d\f'])
  })
})
