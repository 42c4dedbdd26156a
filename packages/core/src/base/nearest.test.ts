import { fc, it as prop } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { nearest } from './text.ts'

const known = ['model', 'agent', 'hardVerifiers', 'softVerifiers']

describe('given a word that nobody knows', () => {
  it.each([
    ['modle', 'model'],
    ['MODEL', 'model'],
    ['mode', 'model'],
    ['agents', 'agent'],
    ['hardVerifier', 'hardVerifiers'],
    ['sftVerifiers', 'softVerifiers'],
  ])('then %s was probably %s', (word, meant) => {
    expect(nearest(word, known)).toBe(meant)
  })

  it.each(['zzzzzz', ''])('then %j was none that is known', (word) => {
    expect(nearest(word, known)).toBeUndefined()
  })

  it('then two letters of a short word may be wrong, and a third of a long one', () => {
    expect(nearest('abcd', ['abxy'])).toBe('abxy')
    expect(nearest('abcd', ['axyz'])).toBeUndefined()
    expect(nearest('abcdefghi', ['abcdefxyz'])).toBe('abcdefxyz')
    expect(nearest('abcdefghi', ['abcdewxyz'])).toBeUndefined()
  })
})

prop.prop([fc.string(), fc.nat(), fc.string({ minLength: 1, maxLength: 1 })])(
  'given any word with a letter too many, then it is found',
  (word, place, letter) => {
    const at = place % (word.length + 1)
    expect(nearest(`${word.slice(0, at)}${letter}${word.slice(at)}`, [word])).toBe(word)
  },
)
