import { describe, expect, it } from 'vitest'
import { stagnationSettings, standardStagnation } from './stagnation.ts'
import { tokenBudgetSettings } from './token-budget-settings.ts'

describe('given the options of a token budget', () => {
  it('has the known constants and the window of three real rounds', () => {
    expect(tokenBudgetSettings({ budgetTokens: 20_000 })).toEqual({
      kind: 'settings',
      settings: {
        mode: 'on',
        budgetTokens: 20_000,
        completionShare: 0.9,
        diminishingTokens: 500,
        minContinuations: 3,
        window: 'three-rounds',
      },
    })
  })

  it('takes every constant from its user', () => {
    const options = {
      mode: 'shadow',
      budgetTokens: 9000,
      completionShareOfBudget: 1,
      diminishingTokens: 0,
      minContinuations: 0,
      window: 'classic',
    } as const
    expect(tokenBudgetSettings(options)).toMatchObject({
      kind: 'settings',
      settings: {
        mode: 'shadow',
        completionShare: 1,
        diminishingTokens: 0,
        minContinuations: 0,
        window: 'classic',
      },
    })
  })

  it.each([
    [{ budgetTokens: 0 }, 'budgetTokens must be a positive whole number of output tokens, not 0'],
    [{ budgetTokens: 1.5 }, 'not 1.5'],
    [{ budgetTokens: Number.NaN }, 'not NaN'],
    [
      { budgetTokens: 5000, completionShareOfBudget: 0 },
      'completionShareOfBudget must be above 0 and at most 1, not 0',
    ],
    [{ budgetTokens: 5000, completionShareOfBudget: 1.01 }, 'not 1.01'],
    [{ budgetTokens: 5000, diminishingTokens: -1 }, 'diminishingTokens must be 0 or more, not -1'],
    [{ budgetTokens: 400 }, 'every round would be called diminishing'],
    [{ budgetTokens: 5000, minContinuations: 0.5 }, 'minContinuations must be a whole number'],
  ])('refuses %j and says what is wrong', (options, words) => {
    const choice = tokenBudgetSettings(options)
    expect(choice.kind === 'refused' ? choice.problem : '').toMatch(/^tokenBudget\./)
    expect(choice.kind === 'refused' ? choice.problem : '').toContain(words)
  })

  it.each([[{ maxTokens: 17_999 }, 'the cap on tokens is 17999']])(
    'refuses a budget that no drive could ever reach under the caps: %j',
    (caps, words) => {
      const choice = tokenBudgetSettings({ budgetTokens: 20_000 }, caps)
      expect(choice.kind === 'refused' ? choice.problem : '').toContain(words)
    },
  )

  it('takes one that can just be reached', () => {
    const caps = { maxTokens: 18_000 }
    expect(tokenBudgetSettings({ budgetTokens: 20_000 }, caps).kind).toBe('settings')
  })
})

describe('given the options of stagnation', () => {
  it('has a standard', () => {
    expect(stagnationSettings()).toEqual({ kind: 'settings', settings: standardStagnation })
  })

  it('takes what its user says', () => {
    const options = { mode: 'off', patienceVerifications: 1, changesPerClaim: 5, epsilonScore: 0 } as const
    expect(stagnationSettings(options)).toEqual({ kind: 'settings', settings: options })
  })

  it.each([
    [
      { patienceVerifications: 0 },
      "patienceVerifications must be a positive whole number, not 0; mode 'off'",
    ],
    [{ patienceVerifications: 2.5 }, 'not 2.5'],
    [{ epsilonScore: 1 }, 'epsilonScore must be 0 or more and below 1, not 1'],
    [{ epsilonScore: -0.1 }, 'not -0.1'],
    [{ epsilonScore: Number.NaN }, 'not NaN'],
  ])('refuses %j and says what is wrong', (options, words) => {
    const choice = stagnationSettings(options)
    expect(choice.kind === 'refused' ? choice.problem : '').toMatch(/^stagnation\./)
    expect(choice.kind === 'refused' ? choice.problem : '').toContain(words)
  })
})
