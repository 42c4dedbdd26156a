import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { randomFrom } from '../random.ts'
import { clockFrom } from './clock.ts'

describe('given a clock', () => {
  test.prop([fc.string(), fc.integer({ min: 1, max: 600 })])(
    'shows another time once a second has passed',
    (seed, seconds) => {
      const clock = clockFrom(randomFrom(seed))
      const before = clock.mark()
      clock.pass(seconds)
      expect(clock.mark()).not.toBe(before)
    },
  )

  test.prop([fc.string()])('writes a time in a way that people know', (seed) => {
    const known = [
      /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{3})?Z?$/,
      /^\d\d:\d\d:\d\d$/,
      /^\d\d\/[A-Z][a-z]{2}\/2026:\d\d:\d\d:\d\d \+0000$/,
      /^17\d{11}$/,
    ]
    const mark = clockFrom(randomFrom(seed)).mark()
    expect(
      known.some((way) => way.test(mark)),
      mark,
    ).toBe(true)
  })
})
