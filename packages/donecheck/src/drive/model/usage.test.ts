import { fc, it } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { settleUsage } from './usage.ts'

const estimate = { inputTokens: 100, outputTokens: 10 }

describe('given what a provider reports', () => {
  it('believes whole numbers', () => {
    const usage = settleUsage({ inputTokens: 80, outputTokens: 9 }, estimate)
    expect(usage).toEqual({ inputTokens: 80, outputTokens: 9, estimated: false })
  })

  it('fills in what it leaves out', () => {
    const usage = settleUsage({ inputTokens: 80, outputTokens: undefined }, estimate)
    expect(usage).toEqual({ inputTokens: 80, outputTokens: 10, estimated: true })
  })

  it('believes that an empty reply costs nothing', () => {
    const empty = { inputTokens: 100, outputTokens: 0 }
    expect(settleUsage({ inputTokens: 80, outputTokens: 0 }, empty)).toMatchObject({ estimated: false })
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
