import { fc, it } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { smallestWindowTokens, windowOf } from './model-agent.ts'

describe('given a model', () => {
  it.each([
    ['openai/gpt-5-mini', true, 400_000],
    ['anthropic/claude-sonnet-4-5', true, 200_000],
    ['google/gemini-2.5-flash', true, 1_048_576],
    ['openai/some-new-model', true, 128_000],
    ['openai-compatible/openai/gpt-5', false, 8192],
  ])('%s (hosted: %s) has a window of %i', (name, hosted, contextWindowTokens) => {
    expect(windowOf(name, hosted, {}).contextWindowTokens).toBe(contextWindowTokens)
  })

  it.prop([fc.integer({ min: smallestWindowTokens, max: 2_000_000 })])(
    'gives a reply a quarter of the window at most',
    (contextWindowTokens) => {
      const { maxOutputTokens } = windowOf('x/y', false, { contextWindowTokens })
      expect(maxOutputTokens).toBe(Math.min(8192, Math.floor(contextWindowTokens / 4)))
    },
  )
})

describe('given limits that make no sense', () => {
  it.each([0, 2047, 4096.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses a window of %s',
    (contextWindowTokens) => {
      expect(() => windowOf('x/y', false, { contextWindowTokens })).toThrow(/contextWindowTokens is/)
    },
  )

  it.each([0, -1, 2049, 1.5, Number.NaN])(
    'refuses a reply of %s tokens in a window of 4096',
    (maxOutputTokens) => {
      expect(() => windowOf('x/y', false, { contextWindowTokens: 4096, maxOutputTokens })).toThrow(
        /maxOutputTokens is/,
      )
    },
  )
})
