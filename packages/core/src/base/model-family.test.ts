import { expect, it } from 'vitest'
import { familyOf } from './text.ts'

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
