import { fc, it } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { settleUsage } from './ask-model.ts'

const estimate = { inputTokens: 100, outputTokens: 10 }

describe('given what a provider reports', () => {
  it('believes parts together with their wholes', () => {
    const whole = { inputTokens: 80, outputTokens: 9 }
    const parts = { cachedInputTokens: 60, reasoningTokens: 0 }
    expect(settleUsage({ ...whole, ...parts }, estimate)).toEqual({ ...whole, ...parts, estimated: false })
    expect(settleUsage({ inputTokens: undefined, outputTokens: 9, ...parts }, estimate)).toEqual({
      inputTokens: 100,
      outputTokens: 9,
      reasoningTokens: 0,
      estimated: true,
    })
  })

  it.each([81, -1, 0.5, Number.NaN])('does not believe a part of %s in 80', (cachedInputTokens) => {
    const usage = settleUsage({ inputTokens: 80, outputTokens: 9, cachedInputTokens }, estimate)
    expect(usage).not.toHaveProperty('cachedInputTokens')
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300])('does not believe %s', (tokens) => {
    const usage = settleUsage({ inputTokens: tokens, outputTokens: tokens }, estimate)
    expect(usage).toEqual({ ...estimate, estimated: true })
  })

  it.prop([fc.option(fc.double(), { nil: undefined }), fc.option(fc.double(), { nil: undefined })])(
    'never gives tokens back',
    (inputTokens, outputTokens) => {
      const usage = settleUsage({ inputTokens, outputTokens }, estimate)
      expect(usage.inputTokens > 0 && usage.outputTokens >= 0).toBe(true)
    },
  )
})
