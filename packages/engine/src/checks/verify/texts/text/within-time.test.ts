import { describe, expect, it } from 'vitest'
import { withinTime } from './within-time.ts'

describe('given work with a time bound', () => {
  it('gives what was computed', () => {
    expect(withinTime(1000, () => [1, 2])).toEqual({ kind: 'done', value: [1, 2] })
  })

  it('hands on what was thrown', () => {
    const broken = () => {
      throw new TypeError('not so')
    }
    expect(() => withinTime(1000, broken)).toThrow(TypeError)
  })

  it('breaks off a match that would not end in a thousand years', () => {
    const text = `${'a'.repeat(60)}b`
    expect(withinTime(50, () => /(a+)+$/.test(text))).toEqual({ kind: 'timed-out' })
  })

  it('breaks off a loop, and works again afterwards', () => {
    const forever = () => {
      for (;;);
    }
    expect(withinTime(50, forever)).toEqual({ kind: 'timed-out' })
    expect(withinTime(1000, () => 'alive')).toEqual({ kind: 'done', value: 'alive' })
  })
})
