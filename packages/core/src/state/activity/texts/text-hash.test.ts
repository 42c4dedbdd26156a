import { describe, expect, it } from 'vitest'
import { textHash } from '../texts.ts'

describe('given a text', () => {
  it('its hash is what was written down in records, and stays it', () => {
    expect([textHash(''), textHash('a'), textHash('hello')]).toEqual([
      'wvjl67o803',
      '262p94epp1d',
      '19jqrdkps12',
    ])
  })

  it('100,000 texts that differ in little have 100,000 hashes', () => {
    const hashes = new Set(Array.from({ length: 100_000 }, (_, index) => textHash(`call ${index}`)))
    expect(hashes.size).toBe(100_000)
  })
})
