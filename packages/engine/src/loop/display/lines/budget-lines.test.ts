import { expect, it } from 'vitest'
import { externalAgent, modelAgent, noCaps } from '@donecheck/core/testing'
import { capsWords } from '@donecheck/core/internal/state/words'
import { tokensInTurns } from './budget-lines.ts'

it('names every cap with its unit', () => {
  expect(capsWords(noCaps)).toBe('none')
  const caps = {
    maxIterations: 30,
    maxModelCalls: 1,
    maxToolCalls: 2,
    maxCallsPerTool: { web_search: 50, fetch: 1 },
    maxTokens: 100_000,
    maxCostUsd: 0.5,
    maxWallClockMs: 600_000,
    maxBlockedStops: null,
  }
  expect(capsWords(caps)).toBe(
    '30 turns, 1 model call, 2 tool calls, 100,000 tokens, $0.5, 600.0 s, 50 calls of web_search, 1 call of fetch',
  )
})

it('says what the cap on tokens means in turns, where tokens are counted', () => {
  const agent = { ...modelAgent, contextWindowTokens: 128_000 }
  expect(tokensInTurns({ ...noCaps, maxTokens: 1_280_000 }, agent)).toBe(
    '1,280,000 tokens: 40 turns that each use a quarter of the context window (32,000), because every turn sends the conversation again',
  )
  expect(tokensInTurns({ ...noCaps, maxTokens: 10_000 }, agent)).toMatch(/: 1 turn that/)
  expect(tokensInTurns(noCaps, agent)).toBeUndefined()
  expect(
    tokensInTurns({ ...noCaps, maxTokens: 1 }, { ...externalAgent, reportsUsage: false }),
  ).toBeUndefined()
})
