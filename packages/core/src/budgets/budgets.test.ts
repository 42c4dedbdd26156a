import { expect, it } from 'vitest'
import { tokens } from '../testing/facts.ts'
import { costOf, estimateTokens } from './index.ts'
import fc from 'fast-check'

it('prices cached input on its own, where its price is known', () => {
  const usage = { ...tokens(1_000_000, 0), cachedInputTokens: 900_000 }
  const prices = { inputPerMillionTokens: 3, outputPerMillionTokens: 15 }
  expect(costOf(usage, prices)).toBe(3)
  expect(costOf(usage, { ...prices, cachedInputPerMillionTokens: 0.3 })).toBeCloseTo(0.3 + 0.27, 12)
  expect(
    costOf({ ...tokens(1000, 0), cachedInputTokens: 5000 }, { ...prices, cachedInputPerMillionTokens: 0 }),
  ).toBe(0)
})

it.each([
  [tokens(1_000_000, 0), 3],
  [tokens(0, 1_000_000), 15],
  [tokens(2000, 100), 0.0075],
  [tokens(0, 0), 0],
])('prices input and output each on their own: %j costs $%s', (usage, costUsd) => {
  expect(costOf(usage, { inputPerMillionTokens: 3, outputPerMillionTokens: 15 })).toBeCloseTo(costUsd, 12)
})

it.each([
  ['', 0],
  ['a', 1],
  ['abc', 1],
  ['abcd', 2],
  ['a'.repeat(7), 2],
  ['a'.repeat(3500), 1000],
])('rounds up: %j', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens)
})

it('never makes a longer text cheaper', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(estimateTokens(one + other)).toBeGreaterThanOrEqual(estimateTokens(one))
    }),
  )
})
