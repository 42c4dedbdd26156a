import { describe, expect, it } from 'vitest'
import { readFault } from './failures.ts'

describe('given an error of the network', () => {
  it('finds the code in the chain of causes', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const error = new Error('Cannot connect', { cause: new TypeError('fetch failed', { cause: refused }) })
    expect(readFault(error)).toMatchObject({ message: 'Cannot connect', networkCode: 'ECONNREFUSED' })
  })

  it('does not run for ever in a circle of causes', () => {
    const error = new Error('a')
    error.cause = error
    expect(readFault(error).message).toBe('a')
  })
})

describe('given an error of a provider', () => {
  it('reads status, words, headers and address', () => {
    const error = {
      name: 'AI_APICallError',
      message: 'slow down',
      statusCode: 429,
      url: 'https://user:pass@host/v1/chat?key=secret#x',
      responseHeaders: { 'Retry-After': '3', odd: 7 },
      data: { error: { type: 'rate_limit_error', code: 'slow' } },
    }
    expect(readFault(error)).toEqual({
      name: 'AI_APICallError',
      message: 'slow down',
      status: 429,
      words: ['rate_limit_error', 'slow'],
      networkCode: undefined,
      address: 'https://host/v1/chat',
      headers: { 'retry-after': '3' },
      body: '',
    })
  })

  it.each([undefined, null, 7, {}, []])('has something to say about %j', (thrown) => {
    expect(readFault(thrown).message).toBe('no reason given')
  })

  it('takes a thrown text for the message', () => {
    expect(readFault('text part not found').message).toBe('text part not found')
  })
})
