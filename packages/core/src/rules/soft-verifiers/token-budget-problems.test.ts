import { describe, expect, it } from 'vitest'
import { standardTokenBudget } from '../../events/settings/index.ts'
import { problemOfTokenBudget } from './token-budget.ts'

const held = (budgetTokens: number) => ({ ...standardTokenBudget, budgetTokens })

describe('given a token budget', () => {
  it('one that is smaller than a round that brings little is refused', () => {
    expect(problemOfTokenBudget(held(400), { maxTokens: null })).toContain(
      'every round would be called diminishing',
    )
  })

  it('one that no drive could ever reach under the caps is refused', () => {
    expect(problemOfTokenBudget(held(20_000), { maxTokens: 17_999 })).toContain('the cap on tokens is 17999')
    expect(problemOfTokenBudget(held(20_000), { maxTokens: 18_000 })).toBeUndefined()
  })
})
