import { describe, expect, it } from 'vitest'
import { failureOf, resetOf } from '../translate.ts'

describe('given the error of a turn', () => {
  it.each([
    [
      'unexpected status 401 Unauthorized: bad key',
      { httpConnectionFailed: { httpStatusCode: 401 } },
      'configuration',
      false,
    ],
    [
      'exceeded retry limit',
      { responseTooManyFailedAttempts: { httpStatusCode: 429 } },
      'rate-limited',
      true,
    ],
    [
      'exceeded retry limit',
      { responseTooManyFailedAttempts: { httpStatusCode: 503 } },
      'server-error',
      true,
    ],
    ['high demand', 'internalServerError', 'server-error', true],
    ['the window is full', 'contextWindowExceeded', 'refused', false],
    ['no more this week', 'usageLimitExceeded', 'usage-limited', true],
    ['gone', { responseStreamDisconnected: { httpStatusCode: null } }, 'server-error', true],
    ['what is this', { somethingNew: 7 }, 'server-error', true],
    ['Reconnecting... waiting for network', undefined, 'network', true],
  ])('takes %s with %j for %s', (message, info, kind, retryable) => {
    expect(failureOf(message, info)).toMatchObject({ kind, retryable })
  })
})

describe('given a usage limit', () => {
  const nowMs = Date.parse('2026-01-01T12:00:00Z')
  const message = 'You’ve hit your usage limit. Visit https://chatgpt.com or try again in 2 hours 5 minutes.'

  it('resets when the windows of the account say, to the second', () => {
    const limits = {
      primary: { usedPercent: 100, resetsAt: nowMs / 1000 + 20 },
      secondary: { usedPercent: 40, resetsAt: nowMs / 1000 + 90_000 },
    }
    expect(resetOf(limits)).toBe(nowMs + 20_000)
    expect(failureOf(message, 'usageLimitExceeded', resetOf(limits), nowMs)).toMatchObject({
      kind: 'usage-limited',
      resetsAtMs: nowMs + 20_000,
    })
  })
})
