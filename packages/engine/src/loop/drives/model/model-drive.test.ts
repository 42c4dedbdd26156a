import { describe, expect, it } from 'vitest'
import { driveAt, givenFakeModels, givenServer } from './fixtures/drives.ts'
import { streamAll } from './fixtures/servers.ts'
import { aCall, aConversation, aRequest, neverAborted } from './fixtures/requests.ts'

describe('given a server that speaks the OpenAI protocol', () => {
  it('answers with the text, the finish and the usage of the model', async () => {
    const { models, drive } = await givenFakeModels()
    models.onMessage('hello', { content: 'Hi there!', usage: { prompt_tokens: 120, completion_tokens: 7 } })
    expect(await drive.next(aRequest('hello'), neverAborted)).toEqual({
      kind: 'replied',
      text: 'Hi there!',
      toolCalls: [],
      finish: 'stop',
      usage: {
        inputTokens: 120,
        outputTokens: 7,
        cachedInputTokens: 0,
        reasoningTokens: 0,
        estimated: false,
      },
    })
  })

  it('hands on the text in pieces, in their order, while it comes in', async () => {
    const { models, drive } = await givenFakeModels()
    models.onMessage('hello', { content: 'one two three four' })
    const pieces: string[] = []
    await drive.next(aRequest('hello', { onText: (piece) => pieces.push(piece) }), neverAborted)
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.join('')).toBe('one two three four')
  })

  it('is not disturbed by a listener that throws', async () => {
    const { models, drive } = await givenFakeModels()
    models.onMessage('hello', { content: 'Hi there!' })
    const onText = () => {
      throw new Error('the terminal is gone')
    }
    expect(await drive.next(aRequest('hello', { onText }), neverAborted)).toMatchObject({ text: 'Hi there!' })
  })

  it('sends the whole model name, the instructions, the tools and the limit, and asks for usage', async () => {
    const { models, drive, latestBody } = await givenFakeModels({
      model: 'org/tiny:1b',
      instructions: 'Speak like a pirate.',
    })
    models.onMessage('hello', { content: 'Hi' })
    await drive.next(aRequest('hello', { maxOutputTokens: 300 }), neverAborted)
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

  it('never asks for more than its own limit of a reply', async () => {
    const { models, drive, latestBody } = await givenFakeModels({ maxOutputTokens: 500 })
    models.onMessage('hello', { content: 'Hi' })
    await drive.next(aRequest('hello', { maxOutputTokens: 99_999 }), neverAborted)
    expect(latestBody()).toMatchObject({ max_tokens: 500 })
  })

  it('tells calls and their results in later turns', async () => {
    const { models, drive, latestBody } = await givenFakeModels()
    models.on({ toolResultContains: 'content of a' }, { content: 'I have read it' })
    const answers = [{ callId: 'c1', tool: 'read', output: 'content of a', failed: false }]
    const round = { text: 'I read.', toolCalls: [aCall('c1')], answers, feedback: undefined }
    const conversation = aConversation({ rounds: [round] })
    const answer = await drive.next(aRequest('', { conversation }), neverAborted)
    expect(answer).toMatchObject({ text: 'I have read it' })
    expect(latestBody()?.['messages']).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'task' },
      {
        role: 'assistant',
        content: 'I read.',
        tool_calls: [{ id: 'c1', function: { arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'content of a' },
    ])
  })

  it('says that a reply ended at its limit', async () => {
    const { models, drive } = await givenFakeModels()
    models.onMessage('hello', { content: 'Hi th', finishReason: 'length' })
    expect(await drive.next(aRequest('hello'), neverAborted)).toMatchObject({
      kind: 'replied',
      finish: 'length',
    })
  })

  it('says that a reply was filtered', async () => {
    const { models, drive } = await givenFakeModels()
    models.onMessage('hello', { content: 'Hi', finishReason: 'content_filter' })
    const answer = await drive.next(aRequest('hello'), neverAborted)
    expect(answer).toMatchObject({
      kind: 'replied',
      finish: 'other',
      problem: 'the provider filtered the reply',
    })
  })

  it('takes an empty answer for a reply without text', async () => {
    const { models, drive } = await givenFakeModels()
    models.onMessage('hello', { content: '' })
    expect(await drive.next(aRequest('hello'), neverAborted)).toMatchObject({
      kind: 'replied',
      text: '',
      toolCalls: [],
    })
  })
})

describe('given a server that does not count tokens', () => {
  it('counts by itself and says that it is an estimate', async () => {
    const drive = await givenServer((response) =>
      streamAll(
        response,
        { reasoning_content: 'x'.repeat(350) },
        { content: 'y'.repeat(350) },
        { finish_reason: 'stop' },
      ),
    )
    const answer = await drive.next(aRequest('hello'), neverAborted)
    expect(answer).toMatchObject({ text: 'y'.repeat(350), usage: { outputTokens: 200, estimated: true } })
    expect(answer.usage?.inputTokens).toBeGreaterThan(50)
  })

  it('counts the arguments of calls too', async () => {
    const call = {
      index: 0,
      id: 'c1',
      function: { name: 'write', arguments: `{"text":"${'x'.repeat(339)}"}` },
    }
    const drive = await givenServer((response) =>
      streamAll(response, { tool_calls: [call] }, { finish_reason: 'tool_calls' }),
    )
    expect((await drive.next(aRequest('hello'), neverAborted)).usage).toMatchObject({ outputTokens: 100 })
  })

  it('does the same where it reports zeros', async () => {
    const usage = { prompt_tokens: 0, completion_tokens: 0 }
    const drive = await givenServer((response) =>
      streamAll(response, { content: 'Hi' }, { finish_reason: 'stop' }, { usage }),
    )
    expect((await drive.next(aRequest('hello'), neverAborted)).usage).toMatchObject({
      outputTokens: 1,
      estimated: true,
    })
  })
})

describe('given a server with a context window of 4,096 tokens', () => {
  it('keeps the prompt within it, and cuts further when the server counts more than we do', async () => {
    const lengths: number[] = []
    const drive = await givenServer(
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
    await drive.next(request, neverAborted)
    await drive.next(request, neverAborted)
    const [first = 0, second = 0] = lengths
    expect(first).toBeLessThan(3072 * 4)
    expect(second).toBeLessThan(first * 0.8)
  })

  it('says so when the tools alone fill it', async () => {
    const drive = await givenServer((response) => response.end(), { contextWindowTokens: 4096 })
    const tools = [{ name: 'big', description: 'x'.repeat(20_000), parameters: { type: 'object' } }]
    expect(await drive.next(aRequest('hello', { tools }), neverAborted)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'configuration', retryable: false },
    })
  })
})

describe('given options that make no sense', () => {
  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses a stall timeout of %s',
    async (stallTimeoutMs) => {
      await expect(driveAt('http://127.0.0.1:1/v1', { stallTimeoutMs })).rejects.toThrow(/stallTimeoutMs/)
    },
  )
})

describe('given a description', () => {
  it('says what it is, without a price for a server of one’s own', async () => {
    const drive = await driveAt('http://127.0.0.1:1/v1')
    expect(drive.description).toEqual({
      kind: 'model',
      name: 'openai-compatible/tiny',
      sideEffects: false,
      reportsUsage: true,
      prices: null,
      maxOutputTokens: 2048,
      contextWindowTokens: 8192,
    })
  })
})
