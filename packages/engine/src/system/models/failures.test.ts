import { describe, expect } from 'vitest'
import { fc, it } from '@fast-check/vitest'
import { type FailureContext, failureOf, type Fault, readFault } from './failures.ts'

const context: FailureContext = {
  model: 'openai/m',
  keyVariable: 'OPENAI_API_KEY',
  responded: false,
  nowMs: 0,
}

function aFault(fields: Partial<Fault>): Fault {
  return {
    message: 'no',
    name: '',
    status: undefined,
    words: [],
    networkCode: undefined,
    address: undefined,
    headers: {},
    body: '',
    ...fields,
  }
}

describe('given a status', () => {
  it.each([
    [400, 'refused', false],
    [401, 'configuration', false],
    [402, 'configuration', false],
    [403, 'configuration', false],
    [404, 'configuration', false],
    [408, 'timeout', true],
    [409, 'server-error', true],
    [413, 'refused', false],
    [422, 'refused', false],
    [429, 'rate-limited', true],
    [500, 'server-error', true],
    [503, 'server-error', true],
    [529, 'server-error', true],
  ] as const)('%i is %s, and a further try helps: %s', (status, kind, retryable) => {
    expect(failureOf(aFault({ status }), context)).toMatchObject({ kind, retryable })
  })

  it('waits as a busy or broken server asks', () => {
    const headers = { 'retry-after': '3' }
    expect(failureOf(aFault({ status: 429, headers }), context)).toMatchObject({ retryAfterMs: 3000 })
    expect(failureOf(aFault({ status: 503, headers }), context)).toMatchObject({ retryAfterMs: 3000 })
    expect(failureOf(aFault({ status: 429 }), context)).not.toHaveProperty('retryAfterMs')
  })
})

describe('given a prompt that is too long', () => {
  it.each([
    "This model's maximum context length is 128000 tokens",
    'the request exceeds the available context size. try increasing the context size',
    'prompt is too long: 210000 tokens > 200000 maximum',
    'However, the model is loaded with context length of only 4096 tokens',
    'The input token count (1200000) exceeds the maximum number of tokens allowed',
  ])('is refused for good: %s', (message) => {
    const failure = failureOf(aFault({ status: 400, message }), context)
    expect(failure).toMatchObject({ kind: 'refused', retryable: false })
    expect(failure.message).toContain('contextWindowTokens')
  })
})

describe('given an error inside a stream', () => {
  it.each([
    ['overloaded_error', 'server-error', true],
    ['rate_limit_exceeded', 'rate-limited', true],
    ['RESOURCE_EXHAUSTED', 'rate-limited', true],
    ['authentication_error', 'configuration', false],
    ['invalid_request_error', 'refused', false],
    ['insufficient_quota', 'configuration', false],
    ['server_error', 'server-error', true],
  ] as const)('takes the word %s for %s', (word, kind, retryable) => {
    expect(failureOf(aFault({ words: [word] }), context)).toMatchObject({ kind, retryable })
  })
})

describe('given a broken line', () => {
  it('is the network before the answer, and cut off within it', () => {
    const fault = aFault({ networkCode: 'ECONNRESET', address: 'http://h/v1' })
    expect(failureOf(fault, context)).toMatchObject({ kind: 'network', retryable: true })
    expect(failureOf(fault, { ...context, responded: true })).toMatchObject({
      kind: 'cut-off',
      retryable: true,
    })
  })

  it.each([
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout'],
    ['ETIMEDOUT', 'network'],
    ['UND_ERR_CONNECT_TIMEOUT', 'network'],
  ] as const)('tells a provider that was reached from one that was not: %s is %s', (networkCode, kind) => {
    expect(failureOf(aFault({ networkCode }), context)).toMatchObject({ kind, retryable: true })
  })
})

describe('given anything at all', () => {
  it.prop([fc.anything({ withObjectString: true, withNullPrototype: true }), fc.boolean()])(
    'gives a failure with a message, whatever was thrown',
    (thrown, responded) => {
      const failure = failureOf(readFault(thrown), { ...context, responded })
      expect(failure.message).not.toBe('')
      expect(failure.message.length).toBeLessThan(1000)
    },
  )
})

describe('given a refusal that names when the limit resets', () => {
  const limited = (fields: Partial<Fault>) => failureOf(aFault({ status: 429, ...fields }), context)

  it('waits for the reset of an account', () => {
    const headers = {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': '1790000000',
    }
    expect(limited({ headers })).toMatchObject({
      kind: 'usage-limited',
      retryable: true,
      resetsAtMs: 1_790_000_000_000,
    })
  })

  it('waits for the bucket that is empty, not for those that are not', () => {
    const headers = {
      'x-ratelimit-remaining-requests': '12',
      'x-ratelimit-reset-requests': '6h0m0s',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '1m30s',
    }
    expect(limited({ headers })).toMatchObject({ kind: 'usage-limited', resetsAtMs: 90_000 })
  })

  it('reads what Google says in the body', () => {
    const body = '{"error":{"details":[{"@type":"…/google.rpc.RetryInfo","retryDelay":"20s"}]}}'
    expect(limited({ message: 'You exceeded your current quota', body })).toMatchObject({
      kind: 'usage-limited',
      resetsAtMs: 20_000,
    })
  })

  it('reads the body of a limit of ChatGPT', () => {
    const body = '{"error":{"type":"usage_limit_reached","resets_at":1790000000}}'
    expect(limited({ words: ['usage_limit_reached'], body })).toMatchObject({
      kind: 'usage-limited',
      resetsAtMs: 1_790_000_000_000,
    })
  })

  it('knows a limit without a time as well', () => {
    const failure = limited({ message: 'usage limit reached' })
    expect(failure.kind).toBe('usage-limited')
    expect(failure).not.toHaveProperty('resetsAtMs')
  })
})
