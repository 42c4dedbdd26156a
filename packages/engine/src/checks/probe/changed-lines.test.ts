import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { changedLines } from './plan.ts'

describe('given a text before and after', () => {
  it.each([
    ['nothing', 'a\nb\n', 'a\nb\n', []],
    ['a changed line', 'a\nb\nc\n', 'a\nB\nc\n', [2]],
    ['lines in between', 'a\nc\n', 'a\nb\nb\nc\n', [2, 3]],
    ['a line that is gone', 'a\nb\nc\n', 'a\nc\n', []],
    ['a new last line', 'a', 'a\nb', [2]],
  ])('it tells %s', (_, before, after, lines) => {
    expect([...changedLines(before, after)]).toEqual(lines)
  })

  it('a new file is new in all of its lines', () => {
    expect([...changedLines(null, 'a\nb')]).toEqual([1, 2])
  })

  const line = fc.constantFrom('a', 'b', 'c', '')
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'))

  test.prop([text, text])(
    'every line that it does not tell stood there before, in the same order',
    (before, after) => {
      const changed = changedLines(before, after)
      const kept = after.split('\n').filter((_, index) => !changed.has(index + 1))
      const waiting = before.split('\n')
      for (const own of kept) {
        const place = waiting.indexOf(own)
        expect(place).not.toBe(-1)
        waiting.splice(0, place + 1)
      }
    },
  )
})
