import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newTracker, type TokenBudgetTracker } from '../../state/index.ts'
import { classicBounds, tokenBudgetStep, type TokenBudgetBounds } from './token-budget.ts'

const startedMs = 1000
const fresh = newTracker(startedMs)

function ask(tracker: TokenBudgetTracker, turnTokens: number, budgetTokens: number | null = 10_000) {
  return tokenBudgetStep(tracker, { budgetTokens, turnTokens, nowMs: 4000 })
}

/** A tracker that was sent on at these counts of tokens. */
function sentOnAt(...turnTokens: readonly number[]): TokenBudgetTracker {
  return turnTokens.reduce((tracker, tokens) => ask(tracker, tokens, 1_000_000).tracker, fresh)
}

/** What is asked after these counts, the last one included. */
function decisions(turnTokens: readonly number[], bounds: TokenBudgetBounds, budgetTokens = 1_000_000) {
  let tracker = fresh
  return turnTokens.map((tokens) => {
    const step = tokenBudgetStep(tracker, { budgetTokens, turnTokens: tokens, nowMs: 4000 }, bounds)
    tracker = step.tracker
    return step.decision.kind
  })
}

describe('given no budget', () => {
  it.each([
    ['none was said', { budgetTokens: null }],
    ['it is 0', { budgetTokens: 0 }],
    ['it is below 0', { budgetTokens: -1 }],
    ['a sub-agent asks', { budgetTokens: 10_000, agentId: 'sub-1' }],
    ['a sub-agent without a name asks', { budgetTokens: 10_000, agentId: '' }],
  ])('it may stop, and there is nothing to report: %s', (_, input) => {
    const step = tokenBudgetStep(sentOnAt(1000, 2000), { turnTokens: 10, nowMs: 4000, ...input })
    expect(step.decision).toEqual({ kind: 'stop', completion: null })
    expect(step.tracker).toEqual(sentOnAt(1000, 2000))
  })
})

describe('given a share of the budget', () => {
  it('goes on just below 90 %, and says the percent, rounded', () => {
    expect(ask(fresh, 8999).decision).toEqual({
      kind: 'continue',
      continuations: 1,
      percent: 90,
      turnTokens: 8999,
      budgetTokens: 10_000,
    })
  })

  it('stops at exactly 90 %', () => {
    expect(ask(fresh, 9000).decision).toEqual({ kind: 'stop', completion: null })
  })

  it('reports what it came to once it was sent on', () => {
    expect(ask(sentOnAt(1000), 9500).decision).toEqual({
      kind: 'stop',
      completion: {
        continuations: 1,
        percent: 95,
        turnTokens: 9500,
        budgetTokens: 10_000,
        isDiminishing: false,
        durationMs: 3000,
      },
    })
  })

  it('counts, and remembers how much the round brought', () => {
    expect(sentOnAt(1000, 1700)).toEqual({
      continuations: 2,
      lastDeltaTokens: 700,
      lastTurnTokens: 1700,
      startedMs,
    })
  })
})

describe('given rounds that bring little, as the rule is copied', () => {
  it('the third time cannot be diminishing: it was sent on twice only', () => {
    expect(ask(sentOnAt(1, 2), 3).decision).toMatchObject({ kind: 'continue', continuations: 3 })
  })

  it('the fourth time is', () => {
    expect(ask(sentOnAt(1, 2, 3), 4).decision).toMatchObject({
      kind: 'stop',
      completion: { isDiminishing: true, continuations: 3, percent: 0 },
    })
  })

  it('only the last two rounds count', () => {
    expect(ask(sentOnAt(4000, 8000, 8499), 8998).decision).toMatchObject({
      completion: { isDiminishing: true },
    })
  })

  it.each([
    ['the last round', [4000, 4100, 4200], 4700],
    ['the round before it', [4000, 4100, 4600], 4700],
  ])('a round of exactly 500 is not small: %s', (_, before, turnTokens) => {
    expect(ask(sentOnAt(...before), turnTokens).decision.kind).toBe('continue')
  })

  it('499 is', () => {
    expect(ask(sentOnAt(4000, 4100, 4599), 5098).decision.kind).toBe('stop')
  })

  it('above 90 % it is reported as diminishing too', () => {
    expect(ask(sentOnAt(4000, 8990, 9000), 9100).decision).toMatchObject({
      completion: { isDiminishing: true, percent: 91 },
    })
  })
})

describe('given any rounds', () => {
  const rounds = fc.array(fc.nat({ max: 1500 }), { minLength: 1, maxLength: 25 })
  const totals = rounds.map((all) => all.map((_, index) => all.slice(0, index + 1).reduce((a, b) => a + b)))

  /** The rule as it stands in the sources, word by word. */
  function classic(all: readonly number[], budget: number): readonly string[] {
    let [count, lastDelta, last] = [0, 0, 0]
    return all.map((turn) => {
      const delta = turn - last
      const isDiminishing = count >= 3 && delta < 500 && lastDelta < 500
      if (isDiminishing || turn >= budget * 0.9) return 'stop'
      count += 1
      lastDelta = delta
      last = turn
      return 'continue'
    })
  }

  it('decides as the copied rule', () => {
    fc.assert(
      fc.property(totals, fc.integer({ min: 1, max: 30_000 }), (all, budget) => {
        expect(decisions(all, classicBounds, budget)).toEqual(classic(all, budget))
      }),
    )
  })

  it('comes to the same from a tracker that was saved', () => {
    fc.assert(
      fc.property(totals, (all) => {
        let [tracker, saved] = [fresh, fresh]
        for (const turnTokens of all) {
          const input = { budgetTokens: 20_000, turnTokens, nowMs: 4000 }
          const step = tokenBudgetStep(tracker, input)
          expect(tokenBudgetStep(saved, input)).toEqual(step)
          tracker = step.tracker
          saved = JSON.parse(JSON.stringify(step.tracker)) as TokenBudgetTracker
        }
      }),
    )
  })
})
