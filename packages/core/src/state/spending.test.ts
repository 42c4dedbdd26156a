import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokens } from '../testing/facts.ts'
import { noConsumption, spend, spendTime, totalTokens } from './spending.ts'

describe('given replies that are booked', () => {
  it('takes no part for more than its whole', () => {
    const reported = spend(noConsumption, { ...tokens(10, 2), cachedInputTokens: 99, reasoningTokens: 99 }, 0)
    expect(reported).toMatchObject({ inputTokens: 10, cachedInputTokens: 10, reasoningTokens: 2 })
  })

  it('counts a reply of unknown usage rather than guess', () => {
    expect(spend(noConsumption, null, null)).toEqual({
      ...noConsumption,
      costUsd: null,
      callsWithoutUsage: 1,
    })
  })

  it('never shrinks', () => {
    const usage = fc.option(
      fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat(), estimated: fc.boolean() }),
    )
    fc.assert(
      fc.property(fc.array(usage), (usages) => {
        let before = noConsumption
        for (const each of usages) {
          const after = spend(before, each, 0)
          expect(totalTokens(after)).toBeGreaterThanOrEqual(totalTokens(before))
          before = after
        }
      }),
    )
  })
})

describe('given time between events', () => {
  it.each([
    [250, 250],
    [0, 0],
    [-60_000, 0],
  ])('%s ms cost %s ms: a clock that was set back costs nothing', (elapsedMs, spentMs) => {
    expect(spendTime(noConsumption, elapsedMs).activeMs).toBe(spentMs)
  })
})
