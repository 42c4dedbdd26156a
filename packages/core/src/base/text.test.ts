import { fc, it as prop, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { nearest, familyOf, thousands } from './text.ts'

const known = ['model', 'agent', 'hardVerifiers', 'softVerifiers']

describe('given a word that nobody knows', () => {
  it.each([
    ['modle', 'model'],
    ['MODEL', 'model'],
    ['mode', 'model'],
    ['agents', 'agent'],
    ['hardVerifier', 'hardVerifiers'],
    ['sftVerifiers', 'softVerifiers'],
  ])('then %s was probably %s', (word, meant) => {
    expect(nearest(word, known)).toBe(meant)
  })

  it.each(['zzzzzz', ''])('then %j was none that is known', (word) => {
    expect(nearest(word, known)).toBeUndefined()
  })

  it('then two letters of a short word may be wrong, and a third of a long one', () => {
    expect(nearest('abcd', ['abxy'])).toBe('abxy')
    expect(nearest('abcd', ['axyz'])).toBeUndefined()
    expect(nearest('abcdefghi', ['abcdefxyz'])).toBe('abcdefxyz')
    expect(nearest('abcdefghi', ['abcdewxyz'])).toBeUndefined()
  })
})

prop.prop([fc.string(), fc.nat(), fc.string({ minLength: 1, maxLength: 1 })])(
  'given any word with a letter too many, then it is found',
  (word, place, letter) => {
    const at = place % (word.length + 1)
    expect(nearest(`${word.slice(0, at)}${letter}${word.slice(at)}`, [word])).toBe(word)
  },
)

it.each([
  ['anthropic/claude-opus-4-5', 'claude'],
  ['openai-compatible/anthropic.claude-3-haiku', 'claude'],
  ['claude -p', 'claude'],
  ['openai/gpt-5', 'gpt'],
  ['openai/o3', 'gpt'],
  ['openai/some-new-name', 'gpt'],
  ['codex', 'gpt'],
  ['openai-compatible/openai/gpt-oss-20b', 'gpt'],
  ['google/gemini-2.5-flash', 'gemini'],
  ['openai-compatible/google/gemma-3-12b', 'gemini'],
  ['openai-compatible/llama3.1:8b', 'llama'],
  ['openai-compatible/deepseek-r1-distill-llama-70b', 'deepseek'],
  ['openai-compatible/Qwen/Qwen3-Coder', 'qwen'],
  ['openai-compatible/mixtral:8x7b', 'mistral'],
  ['mistral/ministral-8b', 'mistral'],
  ['openai-compatible/tiny', undefined],
  ['ollama run tiny', undefined],
  ['scripted', undefined],
  ['', undefined],
])('%s is of the family %s', (name, family) => {
  expect(familyOf(name)).toBe(family)
})

describe('given a number of any size', () => {
  test.prop([fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true }))])(
    'when it is shown, then as an English reader groups it',
    (count) => {
      expect(thousands(count)).toBe((count === 0 ? 0 : count).toLocaleString('en-US'))
    },
  )
})
