import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import { addUsage, usageSince } from './usage.ts'

const reported: TokenUsage = {
  inputTokens: 100,
  cachedInputTokens: 40,
  outputTokens: 10,
  reasoningTokens: 4,
  estimated: false,
}

const usage = fc
  .record({ input: fc.nat(1e6), output: fc.nat(1e6), cached: fc.nat(100), thoughts: fc.nat(100) })
  .map(({ input, output, cached, thoughts }): TokenUsage => ({
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: Math.floor((input * cached) / 100),
    reasoningTokens: Math.floor((output * thoughts) / 100),
    estimated: false,
  }))

describe('given what two replies have used', () => {
  it('is their sum, part by part', () => {
    expect(addUsage(reported, reported)).toEqual({
      inputTokens: 200,
      cachedInputTokens: 80,
      outputTokens: 20,
      reasoningTokens: 8,
      estimated: false,
    })
  })

  it('does not know a part of which one says nothing', () => {
    const untold: TokenUsage = { inputTokens: 5, outputTokens: 5, estimated: true }
    expect(addUsage(reported, untold)).toEqual({ inputTokens: 105, outputTokens: 15, estimated: true })
    expect(addUsage(undefined, untold)).toEqual(untold)
  })
})

describe('given a total that grows', () => {
  it('is what was added since', () => {
    fc.assert(
      fc.property(usage, usage, (before, more) => {
        expect(usageSince(addUsage(before, more), before)).toEqual(more)
      }),
    )
  })

  it('begins anew where it fell', () => {
    expect(usageSince(reported, { ...reported, inputTokens: 1000 })).toEqual(reported)
    expect(usageSince(reported, undefined)).toEqual(reported)
  })
})
