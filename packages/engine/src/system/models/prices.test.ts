import { describe, expect, it } from 'vitest'
import { nearestModel, pricesOf } from './prices.ts'

const mine = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 }

describe('given a model', () => {
  it.each([
    'openai/gpt-4o-2024-05-13',
    'openai-compatible/gpt-4o',
    'gpt-4o',
    'constructor',
    'a/toString',
    '',
  ])('does not guess the price of "%s"', (model) => {
    expect(pricesOf(model)).toBeNull()
  })

  it('prefers the user’s price, by whole or by bare name', () => {
    expect(pricesOf('openai/gpt-4o', { 'openai/gpt-4o': mine })).toEqual(mine)
    expect(pricesOf('openai/gpt-4o', { 'gpt-4o': mine })).toEqual(mine)
    expect(pricesOf('openai-compatible/org/tiny:1b', { 'org/tiny:1b': mine })).toEqual(mine)
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a price of %s', (inputPerMillionTokens) => {
    expect(() => pricesOf('a/b', { b: { ...mine, inputPerMillionTokens } })).toThrow(
      /price inputPerMillionTokens of b/,
    )
  })
})

describe('given a model that is not listed', () => {
  it.each([
    ['openai/gpt5', 'openai/gpt-5'],
    ['anthropic/claude-sonet-4-5', 'anthropic/claude-sonnet-4-5'],
    ['openai/gpt-5', undefined],
    ['openai/gpt-5.1', undefined],
    ['anthropic/claude-sonnet-9', undefined],
  ])('then %s is taken for %s', (model, near) => {
    expect(nearestModel(model)).toBe(near)
  })
})
