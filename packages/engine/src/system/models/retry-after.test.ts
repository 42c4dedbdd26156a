import { fc, it } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { maxRetryAfterMs, retryAfterMs } from './failures.ts'

const noon = Date.parse('2026-01-01T12:00:00Z')

describe('given a provider that says how long to wait', () => {
  it('reads seconds', () => {
    expect(retryAfterMs({ 'retry-after': '20' }, noon)).toBe(20_000)
    expect(retryAfterMs({ 'retry-after': ' 1.5 ' }, noon)).toBe(1500)
  })

  it('reads a date', () => {
    expect(retryAfterMs({ 'retry-after': 'Thu, 01 Jan 2026 12:00:30 GMT' }, noon)).toBe(30_000)
  })

  it('prefers milliseconds', () => {
    expect(retryAfterMs({ 'retry-after-ms': '250', 'retry-after': '20' }, noon)).toBe(250)
  })

  it('cuts a long wait', () => {
    expect(retryAfterMs({ 'retry-after': '86400' }, noon)).toBe(maxRetryAfterMs)
  })
})

describe('given a provider that says nothing of use', () => {
  it.each([
    {},
    { 'retry-after': '' },
    { 'retry-after': 'soon' },
    { 'retry-after': '0' },
    { 'retry-after': '-5' },
    { 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' },
  ])('leaves the wait to the caller: %j', (headers: Record<string, string>) => {
    expect(retryAfterMs(headers, noon)).toBeUndefined()
  })
})

describe('given any header', () => {
  it.prop([fc.string(), fc.string()])('asks for no wait, or for one within the limit', (seconds, ms) => {
    const asked = retryAfterMs({ 'retry-after': seconds, 'retry-after-ms': ms }, noon)
    expect(asked === undefined || (asked > 0 && asked <= maxRetryAfterMs)).toBe(true)
  })
})
