import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { capText } from './capped-text.ts'
import { runningHash, textHash } from './text-hash.ts'

describe('given a text', () => {
  it('its hash is what was written down in records, and stays it', () => {
    expect([textHash(''), textHash('a'), textHash('hello')]).toEqual([
      'wvjl67o803',
      '262p94epp1d',
      '19jqrdkps12',
    ])
  })

  it('is the same in whatever pieces it comes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (pieces) => {
        const hash = runningHash()
        for (const piece of pieces) hash.add(piece)
        expect(hash.digest()).toBe(textHash(pieces.join('')))
      }),
    )
  })

  it('asking for it changes nothing', () => {
    const hash = runningHash()
    hash.add('a')
    hash.digest()
    hash.add('b')
    expect(hash.digest()).toBe(textHash('ab'))
  })

  it('100,000 texts that differ in little have 100,000 hashes', () => {
    const hashes = new Set(Array.from({ length: 100_000 }, (_, index) => textHash(`call ${index}`)))
    expect(hashes.size).toBe(100_000)
  })
})

describe('given text with a cap', () => {
  function capped(pieces: readonly string[], maxCharacters: number): string {
    let written = ''
    const text = capText((piece) => (written += piece), maxCharacters)
    for (const piece of pieces) text.put(piece)
    text.end()
    return written
  }

  it('passes on what fits, and says how much did not', () => {
    expect(capped(['abc', 'def'], 6)).toBe('abcdef')
    expect(capped(['abc', 'def'], 5)).toBe(`abcde~1:${textHash('f')}`)
    expect(capped(['abc', 'def', 'ghi'], 0)).toBe(`~9:${textHash('abcdefghi')}`)
  })

  it('gives one result for one text, in whatever pieces, and two for two', () => {
    const pieces = fc.array(fc.string())
    fc.assert(
      fc.property(pieces, pieces, fc.nat({ max: 20 }), (one, other, cap) => {
        const isSame = one.join('') === other.join('')
        // A text that looks like a cut one is the caller's business: canonical text has its lengths in it.
        fc.pre(!one.join('').includes('~') && !other.join('').includes('~'))
        expect(capped(one, cap) === capped(other, cap)).toBe(isSame)
      }),
    )
  })
})
