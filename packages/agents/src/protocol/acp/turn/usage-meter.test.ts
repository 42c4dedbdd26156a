import { describe, expect, it } from 'vitest'
import { failureOf, UsageMeter, usageAtEnd } from '../turn-end.ts'

describe('given the usage of a whole turn', () => {
  it.each<readonly [string, object, object | undefined]>([
    [
      'beside the cache',
      { usage: { inputTokens: 10, outputTokens: 5, cachedReadTokens: 80, totalTokens: 95 } },
      { inputTokens: 90, outputTokens: 5, cachedInputTokens: 80 },
    ],
    [
      'with the cache in it',
      { usage: { inputTokens: 90, outputTokens: 5, cachedReadTokens: 80, totalTokens: 95 } },
      { inputTokens: 90, outputTokens: 5, cachedInputTokens: 80 },
    ],
    [
      'as a quota',
      { _meta: { quota: { token_count: { input_tokens: 6, output_tokens: 3 } } } },
      { inputTokens: 6, outputTokens: 3 },
    ],
    ['as nonsense', { usage: { inputTokens: -1, outputTokens: 'x' } }, undefined],
    ['not at all', { stopReason: 'end_turn' }, undefined],
  ])('reads it %s', (_, response, usage) => {
    if (usage === undefined) expect(usageAtEnd(response)).toBeUndefined()
    else expect(usageAtEnd(response)).toMatchObject(usage)
  })
})

describe('given the size of the context after each reply', () => {
  it('tells each reply once, and the rest with the end', () => {
    const meter = new UsageMeter()
    meter.recordUpdate({ used: 1001 })
    meter.recordUpdate({ used: 1050 })
    expect(meter.step()).toMatchObject({ inputTokens: 1050, estimated: true })
    expect(meter.step()).toMatchObject({ inputTokens: 0 })
    meter.recordUpdate({ used: 1100, cost: { amount: 0.5, currency: 'USD' } })
    expect(meter.rest({ inputTokens: 2000, outputTokens: 100, estimated: false })).toMatchObject({
      inputTokens: 950,
      outputTokens: 100,
    })
    expect(meter.costUsd).toBe(0.5)
  })
})

describe('given an error instead of an answer', () => {
  it.each<readonly [number, string, string, boolean]>([
    [-32_000, 'Authentication required', 'configuration', false],
    [429, 'Rate limit exceeded', 'rate-limited', true],
    [-32_603, 'Internal error: 429 Too Many Requests', 'rate-limited', true],
    [500, 'oops', 'server-error', true],
    [-32_603, 'Internal error', 'server-error', true],
    [401, 'no', 'configuration', false],
    [-32_603, 'invalid x-api-key', 'configuration', false],
    [-32_601, 'Method not found', 'refused', false],
  ])('%i "%s" is %s', (code, message, kind, retryable) => {
    expect(failureOf('session/prompt', { code, message })).toMatchObject({ kind, retryable })
  })
})
