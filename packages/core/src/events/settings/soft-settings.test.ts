import { describe, expect, it } from 'vitest'
import {
  loopDetectionOptions,
  softSettings,
  stagnationOptions,
  standardLoopDetection,
  standardStagnation,
  standardTokenBudget,
  tokenBudgetOptions,
} from './index.ts'

describe('given the defaults', () => {
  it('they are settings', () => {
    const tokenBudget = { ...standardTokenBudget, budgetTokens: 20_000 }
    const soft = { loopDetection: standardLoopDetection, stagnation: standardStagnation, tokenBudget }
    expect(softSettings.parse(soft)).toEqual(soft)
  })
})

describe('given options', () => {
  it.each([
    [loopDetectionOptions, {}],
    [loopDetectionOptions, { mode: 'shadow', detectors: { ping_pong: 'off' }, historySize: undefined }],
    [loopDetectionOptions, { tools: { job_state: { poll: true, volatileResults: ['elapsed'] } } }],
    [stagnationOptions, { mode: 'off', patienceVerifications: 1, epsilonScore: 0 }],
    [tokenBudgetOptions, { budgetTokens: 9000, completionShareOfBudget: 1, diminishingTokens: 0 }],
  ])('%# is read as it is, and nothing is added', (schema, options) => {
    expect(schema.parse(options)).toEqual(options)
  })

  it.each([
    [loopDetectionOptions, { mode: 'yes' }, ['mode']],
    [loopDetectionOptions, { warningTreshold: 5 }, []],
    [loopDetectionOptions, { detectors: { pingpong: 'off' } }, ['detectors']],
    [loopDetectionOptions, { detectors: { cycle: 1 } }, ['detectors', 'cycle']],
    [loopDetectionOptions, { historySize: 1 }, ['historySize']],
    [loopDetectionOptions, { historySize: 151 }, ['historySize']],
    [loopDetectionOptions, { criticalThreshold: 2.5 }, ['criticalThreshold']],
    [loopDetectionOptions, { globalCircuitBreakerThreshold: Infinity }, ['globalCircuitBreakerThreshold']],
    [loopDetectionOptions, { vetoesUntilEnd: -1 }, ['vetoesUntilEnd']],
    [loopDetectionOptions, { tools: { a: { pol: true } } }, ['tools', 'a']],
    [loopDetectionOptions, { tools: { a: { readOnly: true, mutating: true } } }, ['tools', 'a']],
    [stagnationOptions, { patienceVerifications: 0 }, ['patienceVerifications']],
    [stagnationOptions, { epsilonScore: 1 }, ['epsilonScore']],
    [tokenBudgetOptions, {}, ['budgetTokens']],
    [tokenBudgetOptions, { budgetTokens: 1.5 }, ['budgetTokens']],
    [tokenBudgetOptions, { budgetTokens: 5000, completionShareOfBudget: 0 }, ['completionShareOfBudget']],
  ])('%# is refused where it is wrong', (schema, options, path) => {
    expect(schema.safeParse(options).error?.issues[0]?.path).toEqual(path)
  })
})
