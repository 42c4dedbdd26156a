import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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
