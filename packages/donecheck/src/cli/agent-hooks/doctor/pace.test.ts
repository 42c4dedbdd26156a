import { describe, expect, it } from 'vitest'
import { measurePaceMs, medianOf, paceOf } from './pace.ts'

describe('given how long a hook took several times', () => {
  it('then one bad moment of the machine decides nothing', async () => {
    expect(medianOf([60, 62, 1900, 61, 63])).toBe(62)
    const took = [60, 1900, 61]
    expect(await measurePaceMs(() => Promise.resolve(took.shift() ?? 0))).toBe(61)
  })

  it('then it is slow where a person feels it, and too slow beside the time that its agent gives it', () => {
    expect([90, 600, 14_000, 16_000].map(paceOf)).toEqual(['fine', 'slow', 'slow', 'too-slow'])
  })
})
