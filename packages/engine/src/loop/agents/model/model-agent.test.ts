import { describe, expect, it } from 'vitest'
import { agentAt, givenFakeModels, givenServer } from './fixtures/agents.ts'
import { streamAll } from './fixtures/servers.ts'
import { aConversation, aRequest, neverAborted } from './fixtures/requests.ts'

describe('given a server that speaks the OpenAI protocol', () => {
  it('sends the whole model name, the instructions, the tools and the limit, and asks for usage', async () => {
    const { models, agent, latestBody } = await givenFakeModels({
      model: 'org/tiny:1b',
      instructions: 'Speak like a pirate.',
    })
    models.onMessage('hello', { content: 'Hi' })
    await agent.next(aRequest('hello', { maxOutputTokens: 300 }), neverAborted)
    const body = latestBody()
    expect(body).toMatchObject({
      model: 'org/tiny:1b',
      max_tokens: 300,
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: { name: 'read', description: 'Reads a file.' } }],
    })
    expect(JSON.stringify(body?.['messages'])).toContain('Speak like a pirate.')
  })
})

describe('given a server that does not count tokens', () => {
  it('counts by itself and says that it is an estimate', async () => {
    const agent = await givenServer((response) =>
      streamAll(
        response,
        { reasoning_content: 'x'.repeat(350) },
        { content: 'y'.repeat(350) },
        { finish_reason: 'stop' },
      ),
    )
    const answer = await agent.next(aRequest('hello'), neverAborted)
    expect(answer).toMatchObject({ text: 'y'.repeat(350), usage: { outputTokens: 200, estimated: true } })
    expect(answer.usage?.inputTokens).toBeGreaterThan(50)
  })
})

describe('given a server with a context window of 4,096 tokens', () => {
  it('keeps the prompt within it, and cuts further when the server counts more than we do', async () => {
    const lengths: number[] = []
    const agent = await givenServer(
      (response, request) => {
        lengths.push(Number(request.headers['content-length']))
        streamAll(
          response,
          { content: 'Hi' },
          { finish_reason: 'stop' },
          { usage: { prompt_tokens: 6000, completion_tokens: 1 } },
        )
      },
      { contextWindowTokens: 4096 },
    )
    const rounds = Array.from({ length: 50 }, (_, index) => ({
      text: `turn ${index} ${'word '.repeat(60)}`,
      toolCalls: [],
      answers: [],
      feedback: 'go on',
    }))
    const request = aRequest('', { conversation: aConversation({ rounds }) })
    await agent.next(request, neverAborted)
    await agent.next(request, neverAborted)
    const [first = 0, second = 0] = lengths
    expect(first).toBeLessThan(3072 * 4)
    expect(second).toBeLessThan(first * 0.8)
  })
})

describe('given options that make no sense', () => {
  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses a stall timeout of %s',
    async (stallTimeoutMs) => {
      await expect(agentAt('http://127.0.0.1:1/v1', { stallTimeoutMs })).rejects.toThrow(/stallTimeoutMs/)
    },
  )
})
