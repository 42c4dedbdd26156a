import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { defaultFlakeBound, judgeTries, passesNeeded } from './sequential-test.ts'

describe('given the default bound', () => {
  it('a pass after a failure is confirmed twice', () => {
    expect(passesNeeded(defaultFlakeBound)).toBe(3)
    expect(judgeTries({ passed: 1, failed: 0, passedInARow: 1 })).toBe('again')
    expect(judgeTries({ passed: 2, failed: 0, passedInARow: 2 })).toBe('again')
    expect(judgeTries({ passed: 3, failed: 0, passedInARow: 3 })).toBe('steady')
  })

  it('one failure among the confirmations is enough', () => {
    expect(judgeTries({ passed: 2, failed: 1, passedInARow: 0 })).toBe('flaky')
  })
})

const share = fc.double({ min: 0.01, max: 0.99, noNaN: true })

test.prop([share, share])('the stated error is kept, and by no more tries than needed', (rate, maxError) => {
  const needed = passesNeeded({ minFailureRate: rate, maxError })
  const believed = (1 - rate) ** needed
  expect(believed).toBeLessThanOrEqual(maxError * (1 + 1e-6))
  if (needed > 1) expect((1 - rate) ** (needed - 1)).toBeGreaterThan(maxError * (1 - 1e-6))
})

test.prop([fc.double({ min: 0.5, max: 0.95, noNaN: true }), fc.integer({ min: 1, max: 2 ** 30 })])(
  'a check that fails at least every second time is believed about as seldom as stated',
  (failureRate, seed) => {
    const next = randomOf(seed)
    const rounds = 2_000
    let believed = 0
    for (let round = 0; round < rounds; round += 1) {
      let tries = { passed: 0, failed: 0, passedInARow: 0 }
      do {
        const fails = next() < failureRate
        tries = fails
          ? { ...tries, failed: tries.failed + 1, passedInARow: 0 }
          : { ...tries, passed: tries.passed + 1, passedInARow: tries.passedInARow + 1 }
      } while (judgeTries(tries) === 'again')
      if (judgeTries(tries) === 'steady') believed += 1
    }
    // Five standard deviations above the stated bound.
    const { maxError } = defaultFlakeBound
    const limit = maxError + 5 * Math.sqrt((maxError * (1 - maxError)) / rounds)
    expect(believed / rounds).toBeLessThanOrEqual(limit)
  },
)

/** Park and Miller's generator: small, and the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
