import { describe, expect, it } from 'vitest'
import { providerFailure } from './failures.ts'

describe('given a refusal that the next try may not meet', () => {
  it.each([
    [408, 'timeout'],
    [409, 'server-error'],
    [429, 'rate-limited'],
    [500, 'server-error'],
    [529, 'server-error'],
  ] as const)('%i is %s, and may be tried again', (status, kind) => {
    expect(providerFailure(status, 'it said no')).toMatchObject({
      kind,
      retryable: true,
      message: 'it said no',
    })
  })
})

describe('given a refusal that only a person can mend', () => {
  it.each([
    [400, 'refused', 'it said no'],
    [401, 'configuration', 'key'],
    [402, 'configuration', 'credit'],
    [403, 'configuration', 'key'],
    [404, 'configuration', 'model'],
    [422, 'refused', 'it said no'],
  ] as const)('%i is %s, and is not tried again', (status, kind, way) => {
    const failure = providerFailure(status, 'it said no')
    expect(failure).toMatchObject({ kind, retryable: false })
    expect(failure.message).toContain(way)
  })
})
