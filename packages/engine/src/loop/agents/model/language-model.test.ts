import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { createAgentLoop } from '../../compose/index.ts'
import { UsageError } from '../../../base/index.ts'
import { verifierOf } from '../../../checks/verify/index.ts'
import { toAgent, modelAgent } from './model-agent.ts'

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}

function givenModel(text: string): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'gpt-5',
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: text },
          { type: 'text-end', id: 't' },
          { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
        ],
      }),
    }),
  })
}

describe('given a model object of the AI SDK', () => {
  it('is the agent of a loop as it stands, with the window and the prices of its name', async () => {
    const loop = createAgentLoop({
      agent: givenModel('42'),
      hardVerifiers: [verifierOf('is 42', ({ finalText }) => finalText === '42', { reads: 'answer' })],
    })
    const { transition } = await loop.run('What is six times seven?')
    expect(transition).toMatchObject({ outcome: 'verified' })
    expect(toAgent(givenModel('')).description).toMatchObject({
      kind: 'model',
      name: 'openai/gpt-5',
      contextWindowTokens: 400_000,
      prices: { inputPerMillionTokens: 1.25 },
    })
  })

  it('takes the choices of modelAgent, but no address: its provider has one', async () => {
    const agent = await modelAgent({ model: givenModel(''), contextWindowTokens: 10_000 })
    expect(agent.description).toMatchObject({ name: 'openai/gpt-5', contextWindowTokens: 10_000 })
    const twice = modelAgent({ model: givenModel(''), baseUrl: 'http://127.0.0.1:1/v1' })
    await expect(twice).rejects.toThrow(UsageError)
    await expect(twice).rejects.toThrow(/give its provider the base URL/)
  })
})
