import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../../ports/loop.ts'
import { buildModelAgent } from './agent-over.ts'
import { aRequest, neverAborted } from './fixtures/requests.ts'

type StreamResult = Exclude<
  NonNullable<ConstructorParameters<typeof MockLanguageModelV4>[0]>['doStream'],
  readonly unknown[] | ((...given: never[]) => unknown) | undefined
>
type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}
const finish: StreamPart = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }

function text(content: string): StreamPart[] {
  return [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: content },
    { type: 'text-end', id: 't' },
  ]
}

function streamOf(...chunks: StreamPart[]): StreamResult {
  return { stream: simulateReadableStream({ chunks }) }
}

function agentOf(model: MockLanguageModelV4, stallTimeoutMs = 60_000): Agent {
  return buildModelAgent({
    description: {
      kind: 'model',
      name: 'mock/mock',
      sideEffects: false,
      reportsUsage: true,
      prices: null,
      maxOutputTokens: 1024,
      contextWindowTokens: 8192,
    },
    model: {
      name: 'mock/mock',
      hosted: true,
      keyVariable: 'MOCK_API_KEY',
      apiKey: undefined,
      modelFor: () => model,
    },
    stallTimeoutMs,
    instructions: undefined,
  })
}

describe('given a model in this process', () => {
  it('asks once, however it fails', async () => {
    const model = new MockLanguageModelV4({
      doStream: () => Promise.reject(new Error('a bug in the provider package')),
    })
    const answer = await agentOf(model).next(aRequest('hello'), neverAborted)
    expect(answer).toMatchObject({
      kind: 'failed',
      failure: { kind: 'configuration', retryable: false },
      usage: null,
    })
    expect(model.doStreamCalls).toHaveLength(1)
  })

  it('does not wait for one that falls silent in the middle either', async () => {
    const controller = new AbortController()
    const silent: StreamResult = {
      stream: new ReadableStream<StreamPart>({
        start: (stream) => {
          text('Hi').forEach((part) => stream.enqueue(part))
        },
      }),
    }
    const agent = agentOf(new MockLanguageModelV4({ doStream: silent }))
    const onText = () => {
      controller.abort()
    }
    const answer = await agent.next(aRequest('hello', { onText }), controller.signal)
    expect(answer).toMatchObject({ kind: 'failed', failure: { kind: 'interrupted' } })
  })

  it('does not believe usage that would give tokens back', async () => {
    const lie: StreamPart = {
      ...finish,
      usage: { ...usage, inputTokens: { ...usage.inputTokens, total: -1_000_000 } },
    }
    const agent = agentOf(new MockLanguageModelV4({ doStream: streamOf(...text('Hi'), lie) }))
    const answer = await agent.next(aRequest('hello'), neverAborted)
    expect(answer.usage?.inputTokens).toBeGreaterThan(0)
    expect(answer.usage?.estimated).toBe(true)
  })
})
