import { describe, expect, it } from 'vitest'
import { ago, compact, dollars, duration, percent, whole } from './figures.ts'

describe('given a figure', () => {
  it.each([
    [whole(12_345), '12,345'],
    [whole(null), '–'],
    [compact(999), '999'],
    [compact(48_231), '48.2k'],
    [compact(999_999), '1.0M'],
    [compact(123_456_789), '123M'],
    [dollars(0), '$0.00'],
    [dollars(0.0123), '$0.0123'],
    [dollars(12.5), '$12.50'],
    [percent(0.125), '13 %'],
    [duration(340), '340 ms'],
    [duration(8_200), '8.2 s'],
    [duration(247_000), '4:07'],
    [duration(3_847_000), '1:04:07'],
    [ago(0, 3_000), 'now'],
    [ago(0, 59_000), '59 s'],
    [ago(0, 3_599_000), '59 min'],
    [ago(0, 3 * 86_400_000), '3 d'],
    [ago(9_000, 0), 'now'],
  ])('is told as %s', (words, expected) => {
    expect(words).toBe(expected)
  })
})
