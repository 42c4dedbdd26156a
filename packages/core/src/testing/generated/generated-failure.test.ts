import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

export const failure = fc.record(
  {
    kind: fc.constantFrom(
      'rate-limited',
      'usage-limited',
      'server-error',
      'network',
      'cut-off',
      'refused',
      'timeout',
      'interrupted',
    ),
    message: fc.string(),
    retryable: fc.boolean(),
    retryAfterMs: fc.nat(),
    resetsAtMs: fc.nat(),
  },
  { requiredKeys: ['kind', 'message', 'retryable'] },
)

describe('given the generator of failures', () => {
  it('makes failures that may pass and others', () => {
    const made = fc.sample(failure, { numRuns: 100, seed: 1 }).map(({ retryable }) => retryable)
    expect(new Set(made)).toEqual(new Set([true, false]))
  })
})
