import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextAttemptMs, type FailedAttempt } from './index.ts'

const hourMs = 60 * 60 * 1000
const failed = (attempt: Partial<FailedAttempt>) =>
  nextAttemptMs({ attempts: 1, keptAtMs: 0, nowMs: 0, retryAfterMs: 0, random: 1, ...attempt })

describe('given an attempt that failed', () => {
  it('the wait doubles from five seconds to an hour', () => {
    expect([1, 2, 3, 9, 10, 11, 40].map((attempts) => failed({ attempts }))).toEqual([
      5_000,
      10_000,
      20_000,
      1_280_000,
      2_560_000,
      hourMs,
      hourMs,
    ])
  })

  it('it is at least what the receiver asked for, and half of the wait is by chance', () => {
    expect(failed({ retryAfterMs: 60_000 })).toBe(60_000)
    expect(failed({ random: 0 })).toBe(2_500)
  })

  it('whatever happens, tries go on for a day and not longer', () => {
    const attempt = fc.record({
      random: fc.double({ min: 0, max: 1, noNaN: true }),
      retryAfterMs: fc.nat({ max: 100 * hourMs }),
    })
    fc.assert(
      fc.property(fc.infiniteStream(attempt), (answers) => {
        let nowMs = 0
        let attempts = 0
        for (const answer of answers) {
          attempts += 1
          const dueMs = failed({ attempts, nowMs, ...answer })
          if (dueMs === null) return
          expect(dueMs).toBeGreaterThan(nowMs)
          expect(dueMs).toBeLessThanOrEqual(24 * hourMs)
          nowMs = dueMs
        }
      }),
    )
  })
})
