import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noUsage } from '../../protocol/host/index.ts'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import { ClaudeSpending, guessCostUsd, sumOf, type ClaudeTokens, type Spent } from './spending.ts'

const nothing: Spent = { usage: noUsage, costUsd: 0 }

function tokens(fresh: number, output: number): ClaudeTokens {
  return { fresh, cacheWritten: 0, cacheRead: 0, output }
}

function usage(inputTokens: number, outputTokens: number): TokenUsage {
  return { inputTokens, cachedInputTokens: 0, outputTokens, estimated: false }
}

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
        turns.forEach(({ steps, hidden, factor }) => {
          spending.beginTurn()
          let since = { usage: usage(hidden.input, hidden.output), costUsd: 0 }
          for (const { input, output } of steps) {
            const reported = spending.step(tokens(input, output), 'claude-opus-4-5')
            expect(reported.costUsd).toBeGreaterThanOrEqual(0)
            booked = sumOf(booked, reported)
            const guess = guessCostUsd('claude-opus-4-5', tokens(input, output)) ?? 0
            since = sumOf(since, { usage: usage(input, output), costUsd: guess * factor })
          }
          actual = sumOf(actual, since)
          booked = sumOf(booked, spending.rest(since))
          expect(booked.usage).toEqual(actual.usage)
          expect(booked.costUsd).toBeGreaterThanOrEqual(Math.max(before, actual.costUsd) - 1e-9)
          before = booked.costUsd
        })
        // Exact to the cent if the guesses were too low.
        if (turns.every(({ factor }) => factor >= 1)) expect(booked.costUsd).toBeCloseTo(actual.costUsd, 9)
      }),
    )
  })
})
