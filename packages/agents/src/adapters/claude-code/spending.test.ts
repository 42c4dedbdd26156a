import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noUsage } from '../../protocol/stream/index.ts'
import type { TokenUsage } from '@donecheck/core/budgets'
import { ClaudeSpending, guessCostUsd, sumOf, type ClaudeTokens, type Spent } from './spending.ts'

const nothing: Spent = { usage: noUsage, costUsd: 0 }

function tokens(fresh: number, output: number): ClaudeTokens {
  return { fresh, cacheWritten: 0, cacheRead: 0, output }
}

function usage(inputTokens: number, outputTokens: number): TokenUsage {
  return { inputTokens, cachedInputTokens: 0, outputTokens, estimated: false }
}

describe('guessing what a step has cost', () => {
  it('goes by the family, and by the factors for the cache', () => {
    expect(guessCostUsd('claude-sonnet-4-5', tokens(1000, 50))).toBeCloseTo(0.00375, 10)
    const cached = { fresh: 0, cacheWritten: 1_000_000, cacheRead: 1_000_000, output: 0 }
    expect(guessCostUsd('claude-haiku-4-5', cached)).toBeCloseTo(1.35, 10)
    expect(guessCostUsd('another-model', tokens(1, 1))).toBeUndefined()
  })
})

describe('given a session of which every step was told', () => {
  it('has nothing left at the end of the turn', () => {
    const spending = new ClaudeSpending()
    spending.beginTurn(true)
    spending.step(tokens(1000, 50), 'claude-sonnet-4-5')
    const total = { usage: usage(1000, 50), costUsd: 0.00375 }
    const rest = spending.rest({ total, since: total, own: total.usage })
    expect(rest.usage).toEqual(usage(0, 0))
    expect(rest.costUsd).toBeCloseTo(0, 10)
  })
})

describe('given an older version, which tells totals alone', () => {
  it('books the difference to the total before', () => {
    const spending = new ClaudeSpending()
    spending.beginTurn(true)
    const first = { usage: usage(1000, 50), costUsd: 1 }
    expect(spending.rest({ total: first, since: undefined, own: first.usage })).toEqual(first)
    spending.beginTurn(false)
    const second = { usage: usage(3000, 150), costUsd: 2.5 }
    const rest = spending.rest({ total: second, since: undefined, own: usage(1000, 50) })
    expect(rest).toEqual({ usage: usage(2000, 100), costUsd: 1.5 })
  })

  it('does not book again what a turn had told before it was broken off', () => {
    const spending = new ClaudeSpending()
    spending.beginTurn(true)
    spending.step(tokens(1000, 50), 'unknown')
    spending.beginTurn(false)
    const total = { usage: usage(1500, 70), costUsd: 1 }
    expect(spending.rest({ total, since: undefined, own: usage(500, 20) }).usage).toEqual(usage(500, 20))
  })

  it('books of a session that began in another process no more than its own part', () => {
    const spending = new ClaudeSpending()
    spending.beginTurn(false)
    const total = { usage: usage(3000, 1000), costUsd: 4 }
    const rest = spending.rest({ total, since: undefined, own: usage(800, 200) })
    expect(rest).toEqual({ usage: usage(800, 200), costUsd: 1 })
  })
})

describe('given a guess that was too high', () => {
  it('takes it off what is booked next', () => {
    const spending = new ClaudeSpending()
    spending.beginTurn(true)
    const guess = spending.step(tokens(1000, 50), 'claude-sonnet-4-5').costUsd
    const first = { usage: usage(1000, 50), costUsd: guess / 2 }
    expect(spending.rest({ total: first, since: first, own: first.usage }).costUsd).toBe(0)
    spending.beginTurn(false)
    expect(spending.step(tokens(1000, 50), 'claude-sonnet-4-5').costUsd).toBeCloseTo(guess / 2, 10)
    const second = { usage: usage(1000, 50), costUsd: guess }
    const total = sumOf(first, second)
    expect(spending.rest({ total, since: second, own: second.usage }).costUsd).toBeCloseTo(0, 10)
  })
})

describe('given any turns', () => {
  const amount = fc.nat(10_000)
  const turn = fc.record({
    steps: fc.array(fc.record({ input: amount, output: amount }), { maxLength: 5 }),
    hidden: fc.record({ input: amount, output: amount }),
    factor: fc.double({ min: 0.2, max: 3, noNaN: true }),
  })

  it('books in the end what was used, however wrong the guesses were, and never takes anything back', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 6 }), (turns) => {
        const spending = new ClaudeSpending()
        let booked = nothing
        let actual = nothing
        let before = 0
        turns.forEach(({ steps, hidden, factor }, index) => {
          spending.beginTurn(index === 0)
          let since = { usage: usage(hidden.input, hidden.output), costUsd: 0 }
          for (const { input, output } of steps) {
            const reported = spending.step(tokens(input, output), 'claude-opus-4-5')
            expect(reported.costUsd).toBeGreaterThanOrEqual(0)
            booked = sumOf(booked, reported)
            const guess = guessCostUsd('claude-opus-4-5', tokens(input, output)) ?? 0
            since = sumOf(since, { usage: usage(input, output), costUsd: guess * factor })
          }
          actual = sumOf(actual, since)
          booked = sumOf(booked, spending.rest({ total: actual, since, own: since.usage }))
          expect(booked.usage).toEqual(actual.usage)
          expect(booked.costUsd).toBeGreaterThanOrEqual(Math.max(before, actual.costUsd) - 1e-9)
          before = booked.costUsd
        })
        // Where the guesses were too low, to the cent.
        if (turns.every(({ factor }) => factor >= 1)) expect(booked.costUsd).toBeCloseTo(actual.costUsd, 9)
      }),
    )
  })
})
