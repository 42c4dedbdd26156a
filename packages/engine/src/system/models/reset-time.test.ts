import { fc, it } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { durationIn, resetInHeaders, resetInText } from './reset-time.ts'

const noon = Date.parse('2026-01-01T12:00:00Z')
const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('given headers that say how long to wait', () => {
  it.each([
    [{ 'retry-after': '20' }, 20_000],
    [{ 'retry-after': ' 1.5 ' }, 1500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after-ms': '250', 'retry-after': '20' }, 250],
    [{ 'retry-after': '86400' }, 24 * hourMs],
    [{ 'x-ratelimit-reset-requests': '6ms' }, 6],
    [{ 'x-ratelimit-reset': '1767268830' }, 30_000],
    [{ 'ratelimit-reset': '30' }, 30_000],
  ])('%j: %i ms', (headers, ms) => {
    expect(resetInHeaders(headers, noon)?.atMs).toBe(noon + ms)
  })

  it.each([
    {},
    { 'retry-after': '' },
    { 'retry-after': 'soon' },
    { 'retry-after': '0' },
    { 'retry-after': '-5' },
    { 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' },
    { 'anthropic-ratelimit-tokens-reset': '2026-01-01T11:59:59Z' },
  ])('leaves the wait to the caller: %j', (headers: Record<string, string>) => {
    expect(resetInHeaders(headers, noon)).toBeUndefined()
  })

  it.prop([
    fc.dictionary(fc.constantFrom('retry-after', 'x-ratelimit-reset', 'ratelimit-reset'), fc.string()),
  ])('names no time that has passed, whatever they hold', (headers) => {
    const named = resetInHeaders(headers, noon)
    expect(named === undefined || named.atMs > noon).toBe(true)
  })
})

describe('given a duration', () => {
  it.each([
    ['1m30s', 90_000],
    ['20.5s', 20_500],
    ['2h52m39s', 2 * hourMs + 52 * minuteMs + 39_000],
    ['3 days 4 hours 5 minutes', 76 * hourMs + 5 * minuteMs],
    ['15m', 15 * minuteMs],
    ['6ms', 6],
  ])('%s is %i ms', (text, ms) => {
    expect(durationIn(text)).toBe(ms)
  })

  it.each(['', 'soon', '1x', '5', 'at 5m'])('%j is none', (text) => {
    expect(durationIn(text)).toBeUndefined()
  })
})

describe('given what an agent says to a person', () => {
  /** A clock names a minute, which is waited for to its end. */
  const clock = (ms: number) => noon + ms + 59_999

  it.each([
    ['Claude AI usage limit reached|1767272400', noon + hourMs],
    ["You've hit your session limit · resets 8:30pm (Asia/Tokyo)", undefined],
    ["You've hit your session limit · resets 11:30pm (Asia/Tokyo)", clock(2.5 * hourMs)],
    ['Your limit will reset at 3pm (Europe/Warsaw).', clock(2 * hourMs)],
    ["You've hit your weekly limit · resets Jan 3 at 9am (UTC)", clock(45 * hourMs)],
    ["You've hit your weekly limit · resets Jan 3, 9am (UTC)", clock(45 * hourMs)],
    ['try again at Jan 2nd, 2026 1:15 PM (UTC).', clock(25.25 * hourMs)],
    ['Please try again in 3 days 4 hours.', noon + 76 * hourMs],
    ['Your quota will reset after 2h52m39s.', noon + 2 * hourMs + 52 * minuteMs + 39_000],
    ['Please retry in 20.5s.', noon + 20_500],
    ['Rate limit reached. Please try again in 6ms.', noon + 6],
    ['"retryDelay": "20s"', noon + 20_000],
    ['{"resets_at":1767272400}', noon + hourMs],
    ['no time at all', undefined],
    ['resets 1:00pm (Nowhere/Land)', undefined],
  ])('%s', (text, atMs) => {
    expect(resetInText(text, noon)).toBe(atMs)
  })
})
