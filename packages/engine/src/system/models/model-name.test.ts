import { describe, expect, it } from 'vitest'
import { UsageError } from '../../base/index.ts'
import { parseModelName } from './resolve-model.ts'

describe('given a name without a base URL', () => {
  it.each([
    ['openai/gpt-5', 'openai', 'gpt-5'],
    ['OpenAI/gpt-5', 'openai', 'gpt-5'],
    ['google/models/gemini-2.5-pro', 'google', 'models/gemini-2.5-pro'],
  ])('reads %s', (text, provider, model) => {
    expect(parseModelName(text, false)).toEqual({ provider, model })
  })

  it.each([
    ['gpt-5', 'openai/gpt-5'],
    ['claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
    ['gemini-2.5-flash', 'google/gemini-2.5-flash'],
    ['', 'openai/gpt-5'],
    ['antropic/claude', 'Did you mean anthropic/claude?'],
    ['mistral/large', 'Known are openai, anthropic, google, openai-compatible'],
    ['openai/', 'has no name'],
    ['openai-compatible/tiny', '--base-url'],
  ])('refuses "%s" and says how to write it: %s', (text, hint) => {
    expect(() => parseModelName(text, false)).toThrow(UsageError)
    expect(() => parseModelName(text, false)).toThrow(hint)
  })
})

describe('given a name with a base URL', () => {
  it.each([
    ['llama3.2', 'llama3.2'],
    ['openai/gpt-oss-20b', 'openai/gpt-oss-20b'],
    ['org/model:tag', 'org/model:tag'],
    ['openai-compatible/org/model:tag', 'org/model:tag'],
  ])('sends %s as %s', (text, model) => {
    expect(parseModelName(text, true)).toEqual({ provider: 'openai-compatible', model })
  })

  it.each(['', ' ', 'openai-compatible/'])('refuses "%s"', (text) => {
    expect(() => parseModelName(text, true)).toThrow('has no name')
  })
})
