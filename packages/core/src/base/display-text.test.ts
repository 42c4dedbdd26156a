import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { thousands } from './text.ts'

describe('given a number of any size', () => {
  test.prop([fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true }))])(
    'when it is shown, then as an English reader groups it',
    (count) => {
      expect(thousands(count)).toBe((count === 0 ? 0 : count).toLocaleString('en-US'))
    },
  )
})
