import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStat } from './process-table.ts'

describe('reading what the kernel says of a process', () => {
  test.prop([fc.string({ unit: 'binary', maxLength: 15 }), fc.constantFrom('R', 'S', 'Z'), fc.nat()])(
    'is not deceived by a name, whatever is in it',
    (command, state, startTicks) => {
      const between = Array.from({ length: 18 }, () => '7').join(' ')
      const text = `42 (${command}) ${state} ${between} ${startTicks} 0 0\n`
      expect(readStat(text)).toEqual({ command, state, startTicks })
    },
  )

  it.each(['', '42', '42 (x)', '42 (x) Z', '42 (x) ZZ 1'])('knows nothing of %j', (text) => {
    expect(readStat(text)).toBeUndefined()
  })
})
