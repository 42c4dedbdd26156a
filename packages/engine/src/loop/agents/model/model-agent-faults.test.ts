import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Agent, AgentResponse } from '../../../ports/loop.ts'
import { agentAt, givenServer } from './fixtures/agents.ts'
import { closedAddress, stream, streamAll, type Answer } from './fixtures/servers.ts'
import { aRequest, neverAborted } from './fixtures/requests.ts'

function ask(agent: Agent, signal: AbortSignal = neverAborted): Promise<AgentResponse> {
  return agent.next(aRequest('hello'), signal)
}

function status(code: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

describe('given a server that refuses', () => {
  it('names the variable of the key and never the key itself', async () => {
    const refusal = status(401, { error: { message: 'invalid key sk-very-secret' } })
    const agent = await givenServer(refusal, { environment: { DONECHECK_API_KEY: 'sk-very-secret' } })
    const answer = await ask(agent)
    const message = answer.kind === 'failed' ? answer.failure.message : ''
    expect(message).toContain('DONECHECK_API_KEY')
    expect(message).not.toContain('sk-very-secret')
  })
})

describe('given a server that is not there', () => {
  it('names the address and asks whether it is running', async () => {
    const baseUrl = await closedAddress()
    const answer = await ask(await agentAt(baseUrl))
    expect(answer).toMatchObject({
      kind: 'failed',
      failure: { kind: 'network', retryable: true },
      usage: null,
    })
    const message = answer.kind === 'failed' ? answer.failure.message : ''
    expect(message).toContain(baseUrl)
    expect(message).toContain('ECONNREFUSED')
    expect(message).toContain('is the server running?')
  })
})

describe('given a stream that goes wrong', () => {
  it('is cut off when the line breaks in the middle, and counts what has come', async () => {
    const lines: ServerResponse[] = []
    const agent = await givenServer((response) => {
      lines.push(response)
      stream(response, { content: 'x'.repeat(350) })
    })
    const onText = () => lines[0]?.destroy()
    const answer = await agent.next(aRequest('hello', { onText }), neverAborted)
    expect(answer).toMatchObject({ kind: 'failed', failure: { kind: 'cut-off', retryable: true } })
    expect(answer.usage).toMatchObject({ outputTokens: 100, estimated: true })
  })

  it('does not propose calls of a reply that was cut off', async () => {
    const call = { index: 0, id: 'c1', function: { name: 'read', arguments: '{}' } }
    const agent = await givenServer((response) => streamAll(response, { tool_calls: [call] }))
    expect(await ask(agent)).toMatchObject({ kind: 'failed', failure: { kind: 'cut-off' } })
  })

  it('fails with what the server says inside it', async () => {
    const agent = await givenServer((response) => {
      stream(response, { content: 'Hi' })
      response.end(
        `data: ${JSON.stringify({ error: { message: 'out of memory', type: 'server_error' } })}\n\n`,
      )
    })
    const failure = {
      kind: 'server-error',
      retryable: true,
      message: 'openai-compatible/tiny answered 500: out of memory',
    }
    expect(await ask(agent)).toMatchObject({ kind: 'failed', failure })
  })
})

describe('given a server that hangs', () => {
  it('is given up when it sends nothing at all', async () => {
    const agent = await givenServer(() => undefined, { stallTimeoutMs: 50 })
    expect(await ask(agent)).toMatchObject({
      kind: 'failed',
      failure: {
        kind: 'timeout',
        retryable: true,
        message: 'openai-compatible/tiny sent nothing for 0.05 seconds',
      },
      usage: null,
    })
  })
})
