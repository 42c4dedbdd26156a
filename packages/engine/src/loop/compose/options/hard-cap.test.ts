import { describe, expect, it } from 'vitest'
import { externalAgent, modelAgent, noCaps } from '@donecheck/core/testing'
import { assertCostIsKnown, assertTopUp, capsOf, type HardCap } from './hard-cap.ts'

describe('given no caps', () => {
  it.each([
    [0, 100_000],
    [8_192, 100_000],
    [10_001, 100_010],
    [128_000, 1_280_000],
  ])('has ten windows of tokens, 100,000 at least: of %i tokens, %i', (contextWindowTokens, maxTokens) => {
    expect(capsOf({}, { contextWindowTokens })).toMatchObject({ maxTokens })
    expect(capsOf({ tokens: 7 }, { contextWindowTokens })).toMatchObject({ maxTokens: 7 })
  })

  it('has 90 turns, 100,000 tokens and ten minutes', () => {
    expect(capsOf({})).toEqual({ ...noCaps, maxIterations: 90, maxTokens: 100_000, maxWallClockMs: 600_000 })
  })

  it('has an hour, and no end of tokens, for an agent that brings its own tools', () => {
    const caps = { ...noCaps, maxIterations: 90, maxWallClockMs: 3_600_000 }
    expect(capsOf({}, { ownsTools: true, contextWindowTokens: 200_000 })).toEqual(caps)
  })
})

describe('given every cap', () => {
  it('takes how often its stop is blocked, which no top-up can add to', () => {
    expect(capsOf({ blockedStops: 3 }).maxBlockedStops).toBe(3)
    expect(() => capsOf({ blockedStops: 0 })).toThrow(/hardCap\.blockedStops must be a positive whole number/)
  })
})

describe('given a bound that is none', () => {
  it.each<[HardCap, RegExp]>([
    [{ iterations: 0 }, /hardCap\.iterations must be a positive whole number or null, not 0/],
    [{ tokens: 1.5 }, /hardCap\.tokens must be a positive whole number/],
    [{ wallClockMs: -1 }, /hardCap\.wallClockMs must be a positive number or null, not -1/],
    [
      { callsPerTool: { web_search: 0 } },
      /hardCap\.callsPerTool\.web_search must be a positive whole number, not 0/,
    ],
    [
      { callsPerTool: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`t${n}`, 1])) },
      /hardCap\.callsPerTool must name at most 50 tools/,
    ],
  ])('names it: %o', (hardCap, message) => {
    expect(() => capsOf(hardCap)).toThrow(message)
  })

  it('names what cannot be added', () => {
    expect(() => assertTopUp({ tokens: 0 })).toThrow('topUp.tokens must be a positive whole number, not 0')
  })
})

describe('given a cap on cost', () => {
  it('wants a price', () => {
    const caps = capsOf({ costUsd: 1 })
    expect(() => assertCostIsKnown(caps, modelAgent)).not.toThrow()
    expect(() => assertCostIsKnown(caps, externalAgent)).toThrow(/price of test-agent is unknown/)
  })
})
