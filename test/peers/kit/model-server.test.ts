/** The fake model server before real clients: the AI SDK speaks all four protocols. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, streamText, tool, type LanguageModel, type ToolSet } from 'ai'
import { describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer, type Script } from './index.ts'

async function withServer<Value>(
  script: Script,
  work: (server: ModelServer) => Promise<Value>,
): Promise<Value> {
  const server = await startModelServer(script)
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

const apiKey = 'dummy'
const clients: Readonly<Record<string, (url: string) => LanguageModel>> = {
  anthropic: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey })('claude'),
  responses: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses('gpt'),
  chat: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat('gpt'),
  gemini: (url) => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey })('gemini'),
}

const inputSchema = jsonSchema<{ line: string }>({ type: 'object', properties: { line: { type: 'string' } } })
const tools: ToolSet = { shell: tool({ description: 'runs a line', inputSchema }) }
const asking = (model: LanguageModel) => ({ model, tools, prompt: 'fix it', maxRetries: 0 })
const usage = { inputTokens: 300, cachedInputTokens: 0, outputTokens: 7 }

describe.each(Object.entries(clients))('given a client that speaks %s', (protocol, clientAt) => {
  it('it is told a text, whole, with what was used', async () => {
    await withServer({ steps: [{ text: 'Done.', usage }] }, async ({ url, requests }) => {
      const answer = await generateText(asking(clientAt(url)))
      expect(answer).toMatchObject({ text: 'Done.', finishReason: 'stop' })
      expect(answer.usage).toMatchObject({ inputTokens: 300, outputTokens: 7 })
      expect(requests).toMatchObject([{ protocol, told: 'fix it', tools: ['shell'], isSide: false, turn: 0 }])
    })
  })

  it('it is told several calls in one step, as a stream', async () => {
    const calls = [
      { tool: 'shell', args: { line: 'ls' } },
      { tool: 'shell', args: { line: 'pwd' } },
    ]
    await withServer({ steps: [{ text: 'Let me look.', calls }], usage }, async ({ url }) => {
      const stream = streamText(asking(clientAt(url)))
      const made = await stream.toolCalls
      expect(made.map(({ toolName, input }) => ({ tool: toolName, args: input as unknown }))).toEqual(calls)
      expect(new Set(made.map(({ toolCallId }) => toolCallId)).size).toBe(2)
      expect(await stream.text).toBe('Let me look.')
      expect(await stream.usage).toMatchObject({ inputTokens: 300, outputTokens: 7 })
    })
  })

  it('it is told that the server fails', async () => {
    await withServer({ steps: [{ status: 500, message: 'out of order' }] }, async ({ url }) => {
      await expect(generateText(asking(clientAt(url)))).rejects.toThrow(/out of order/)
    })
  })
})

describe('given a script', () => {
  const ask = (url: string, options: { readonly content: string; readonly tools?: readonly object[] }) =>
    fetch(`${url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({
        messages: [{ role: 'user', content: options.content }],
        tools: options.tools ?? [],
      }),
    }).then((response) => response.text())

  it('steps are played in order, and the last one is repeated', async () => {
    await withServer({ steps: [{ text: 'one' }, { text: 'two' }] }, async ({ url }) => {
      for (const text of ['one', 'two', 'two'])
        expect(await ask(url, { content: 'hello' })).toContain(`"${text}"`)
    })
  })

  it('a step may be a function of what was asked', async () => {
    await withServer({ steps: [({ told }) => ({ text: `you said ${told}` })] }, async ({ url }) => {
      expect(await ask(url, { content: 'red' })).toContain('you said red')
    })
  })

  it('requests without tools have a list of their own where there is one', async () => {
    const script = { steps: [{ text: 'main' }], sideSteps: [{ text: 'judge' }] }
    await withServer(script, async ({ url, turns, sideTurns }) => {
      expect(await ask(url, { content: 'a' })).toContain('judge')
      expect(await ask(url, { content: 'b', tools: [{ name: 'shell' }] })).toContain('main')
      expect([turns.length, sideTurns.length]).toEqual([0, 0])
    })
  })

  it('an answer can be held back until the test allows its stop', async () => {
    const gate = Promise.withResolvers<undefined>()
    const steps = [{ text: 'held', after: gate.promise }, { text: 'at once' }]
    await withServer({ steps }, async (server) => {
      const order: string[] = []
      const first = ask(server.url, { content: 'a' }).then(() => order.push('held'))
      await expect.poll(() => server.requests.length).toBe(1)
      await ask(server.url, { content: 'b' }).then(() => order.push('at once'))
      gate.resolve(undefined)
      await first
      expect(order).toEqual(['at once', 'held'])
    })
  })

  it('what nobody serves, and a script that throws, are told to the test', async () => {
    const throwing = () => {
      throw new Error('a broken script')
    }
    await withServer({ steps: [throwing] }, async ({ url, unserved }) => {
      expect((await fetch(`${url}/v1/models`)).status).toBe(404)
      await expect(ask(url, { content: 'a' })).rejects.toThrow()
      expect(unserved).toEqual(['GET /v1/models', 'the script threw: Error: a broken script'])
    })
  })
})
