import { describe, expect, it } from 'vitest'
import { readPartBudget } from './part-budget.ts'

describe('given what people write of a budget', () => {
  it.each([
    ['8 turns', { turns: 8 }],
    ['1 turn, 50_000 tokens', { turns: 1, tokens: 50_000 }],
    ['1.5 usd, 5 minutes', { costUsd: 1.5, activeMs: 300_000 }],
    ['30 Seconds', { activeMs: 30_000 }],
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
  ])('does not read "%s"', (text) => {
    expect(readPartBudget(text)).toBeUndefined()
  })
})
