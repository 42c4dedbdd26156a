import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFakeModels, closedAddress } from './fixtures/servers.ts'
import { aRequest, neverAborted } from './fixtures/requests.ts'
import { modelAgent } from './model-agent.ts'

const run = promisify(execFile)

const providers = [
  ['openai/gpt-4o', { OPENAI_API_KEY: 'k' }, 'OPENAI_BASE_URL', '/v1'],
  ['anthropic/claude-sonnet-4-5', { ANTHROPIC_API_KEY: 'k' }, 'ANTHROPIC_BASE_URL', '/v1'],
  [
    'google/gemini-2.5-flash',
    { GOOGLE_GENERATIVE_AI_API_KEY: 'k' },
    'GOOGLE_GENERATIVE_AI_BASE_URL',
    '/v1beta',
  ],
] as const

describe('given a provider with a protocol of its own', () => {
  it.each(providers)('%s answers with text, calls and usage', async (model, key, variable, path) => {
    const fake = await startFakeModels()
    onTestFinished(() => fake.close())
    fake.models.onMessage('look', {
      content: 'I look.',
      toolCalls: [{ name: 'read', arguments: { path: 'a' } }],
      usage: {
        prompt_tokens: 90,
        completion_tokens: 9,
        input_tokens: 90,
        output_tokens: 9,
        promptTokenCount: 90,
        candidatesTokenCount: 9,
      },
    })
    const agent = await modelAgent({ model, environment: { ...key, [variable]: `${fake.origin}${path}` } })
    const answer = await agent.next(aRequest('look'), neverAborted)
    expect(answer).toMatchObject({
      kind: 'replied',
      text: 'I look.',
      toolCalls: [{ tool: 'read', args: { path: 'a' } }],
      finish: 'tool-calls',
      usage: { inputTokens: 90, outputTokens: 9, estimated: false },
    })
  })

  it.each(providers)('%s is asked to wait', async (model, key, variable, path) => {
    const fake = await startFakeModels()
    onTestFinished(() => fake.close())
    fake.models.onMessage('look', { error: { message: 'slow down' }, status: 429, retryAfter: 7 })
    const agent = await modelAgent({ model, environment: { ...key, [variable]: `${fake.origin}${path}` } })
    expect(await agent.next(aRequest('look'), neverAborted)).toMatchObject({
      failure: { kind: 'rate-limited', retryable: true, retryAfterMs: 7000 },
    })
  })
})

describe('given a process that only might use a model', () => {
  /** Prints the loaded packages of the SDK. */
  const script = (body: string) => `
    import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      if (name === 'ai' || name.startsWith('@ai-sdk/')) loaded.add(name)
      return next(name, context)
    } })
    const loaded = new Set()
    const { modelAgent } = await import(${JSON.stringify(new URL('./model-agent.ts', import.meta.url).href)})
    ${body}
  `
  const node = (body: string) => run(process.execPath, ['--input-type=module', '--eval', script(body)])

  it('loads nothing of the SDK before an agent is made', async () => {
    const { stdout, stderr } = await node(`console.log(JSON.stringify([...loaded]))`)
    expect({ stdout, stderr }).toEqual({ stdout: '[]\n', stderr: '' })
  })

  it('loads one provider, prints nothing and survives when a call fails', async () => {
    const baseUrl = await closedAddress()
    const { stdout, stderr } = await node(`
      const agent = await modelAgent({ model: 'tiny', baseUrl: '${baseUrl}', environment: {} })
      console.log(JSON.stringify([...loaded].filter((name) => !/provider/.test(name))))
      const request = { conversation: { task: 'x', messages: [], rounds: [] }, tools: [], maxOutputTokens: 100, onText() {} }
      const answer = await agent.next(request, new AbortController().signal)
      console.log(answer.failure.kind)
    `)
    expect({ stdout, stderr }).toEqual({ stdout: '["@ai-sdk/openai-compatible"]\nnetwork\n', stderr: '' })
  })
})
