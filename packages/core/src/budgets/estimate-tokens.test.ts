import fc from 'fast-check'
import { expect, it } from 'vitest'
import { estimateTokens } from './index.ts'

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
