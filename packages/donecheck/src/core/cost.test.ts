import { expect, it } from 'vitest'
import { tokens } from '../testing/index.ts'
import { costOf } from './cost.ts'

it.each([
  [tokens(1_000_000, 0), 3],
  [tokens(0, 1_000_000), 15],
  [tokens(2000, 100), 0.0075],
  [tokens(0, 0), 0],
])('prices input and output each on their own: %j costs $%s', (usage, costUsd) => {
  expect(costOf(usage, { inputPerMillionTokens: 3, outputPerMillionTokens: 15 })).toBeCloseTo(costUsd, 12)
})
