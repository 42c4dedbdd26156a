import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundText } from './turn-in-flight.ts'

describe('given a text that an agent has printed', () => {
  it('keeps a short one as it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => boundText(text) === text))
  })

  it('says how much of a long one is left out, and says the same when it is bounded once more', () => {
    const text = `${'a'.repeat(20 * 1024)}${'b'.repeat(100_000)}${'c'.repeat(40 * 1024)}`
    const bounded = boundText(text)
    expect(bounded).toContain('[... 100000 bytes left out ...]')
    expect(boundText(bounded)).toBe(bounded)
  })
})
