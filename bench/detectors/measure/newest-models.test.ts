import { describe, expect, it } from 'vitest'
import { isNewestModel } from './newest-models.ts'

describe('models of 2025-26', () => {
  it.each([
    'google/gemini-3-pro-preview',
    'gemini-2.5-flash',
    'openai/gpt-4.1-mini',
    'gpt-5.3-codex',
    'GPT 5',
    'claude-3-7-sonnet-20250219',
    'anthropic/claude-sonnet-4-20250514',
    'claude-opus-4-5',
    'claude-4-sonnet',
    'o3',
    'openai/o4-mini',
    'Qwen3-Coder-480B',
    'kimi-k2-instruct',
    'glm-4.6',
    'deepseek-r1',
    'minimax-m2',
  ])('%s is one', (model) => {
    expect(isNewestModel(model)).toBe(true)
  })

  it.each([
    null,
    'gpt-4o-2024-08-06',
    'gpt-4-0613',
    'gpt-4-1106-preview',
    'claude-3-opus-20240229',
    'gpt-3.5-turbo-0613',
    'claude-3-5-sonnet (CodeAct v2.1 run, as published)',
    'claude-2',
    'text-davinci-003 (as the paper says)',
    'Meta-Llama-3-70B-Instruct',
    'Mixtral-8x7B-Instruct-v0.1',
    'chat-bison-001',
    'gemini-1.5-pro',
  ])('%s is none', (model) => {
    expect(isNewestModel(model)).toBe(false)
  })
})
