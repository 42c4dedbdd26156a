import { describe, expect, it } from 'vitest'
import { isTooSlow, medianOf, ratioOf } from './pace.ts'

describe('given how long a hook took several times', () => {
  it('then one bad moment of the machine decides nothing', () => {
    expect(medianOf([60, 62, 1900, 61, 63])).toBe(62)
    expect(medianOf([7])).toBe(7)
  })

  it('then it is slow beside a Node that does nothing, and too slow beside the time that its agent gives it', () => {
    expect(ratioOf({ hookMs: 90, bareMs: 30 })).toBe(3)
    expect(isTooSlow({ hookMs: 14_000, bareMs: 400 })).toBe(false)
    expect(isTooSlow({ hookMs: 16_000, bareMs: 400 })).toBe(true)
  })
})
