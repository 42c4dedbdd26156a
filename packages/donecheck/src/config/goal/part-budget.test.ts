import { describe, expect, it } from 'vitest'
import { readPartBudget } from './part-budget.ts'

describe('given what people write of a budget', () => {
  it.each([
    ['8 turns', { turns: 8 }],
    ['1 turn, 50_000 tokens', { turns: 1, tokens: 50_000 }],
    ['1.5 usd, 5 minutes', { costUsd: 1.5, activeMs: 300_000 }],
    ['30 Seconds', { activeMs: 30_000 }],
    ['50,000 tokens,4 turns', { tokens: 50_000, turns: 4 }],
    ['200k tokens', { tokens: 200_000 }],
    ['1.5 M tokens', { tokens: 1_500_000 }],
    ['5 min and $2', { activeMs: 300_000, costUsd: 2 }],
    ['1 hour, and 2 dollars', { activeMs: 3_600_000, costUsd: 2 }],
    ['90 s', { activeMs: 90_000 }],
    ['90s', { activeMs: 90_000 }],
    ['2 hrs', { activeMs: 7_200_000 }],
  ])('reads %s', (text, budget) => {
    expect(readPartBudget(text)).toEqual(budget)
  })

  it.each([
    '',
    '8',
    'turns',
    '0 turns',
    '-1 turns',
    '8 turns, 9 turns',
    '8 toString',
    '8 turns,',
    '5 minutes, 3 seconds',
    '0.5 turns',
    '1.5 tokens',
    '2000000000000 tokens',
    `1${'0'.repeat(400)} turns`,
    '1,5 usd',
    '1_ turns',
    '$4 turns',
    '5 m',
    '4 constructor',
  ])('does not read "%s"', (text) => {
    expect(readPartBudget(text)).toBeUndefined()
  })
})
