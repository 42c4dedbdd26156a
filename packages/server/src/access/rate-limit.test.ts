import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { rateLimit } from './requests.ts'

describe('given three at once and sixty a minute', () => {
  it('gives three, then says how long the next takes, and gives it then', () => {
    const limit = rateLimit(3, 60)
    for (const time of [1, 2, 3]) expect(limit.take('ada', 0), `${time}`).toBeUndefined()
    expect(limit.take('ada', 0)).toBe(1000)
    expect(limit.take('ada', 500)).toBe(500)
    expect(limit.take('ada', 1000)).toBeUndefined()
  })
})

test.prop([fc.array(fc.nat({ max: 5000 }), { maxLength: 200 })])(
  'however callers ask, they never get more than the burst and what time has filled up',
  (pauses) => {
    const limit = rateLimit(5, 120)
    let nowMs = 0
    let given = 0
    for (const pause of pauses) {
      nowMs += pause
      if (limit.take('ada', nowMs) === undefined) given += 1
      expect(given).toBeLessThanOrEqual(5 + (nowMs * 120) / 60_000 + 1e-6)
    }
  },
)
