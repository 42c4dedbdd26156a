import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { sha256 } from './sha256.ts'

describe('given a text', () => {
  test.prop([fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary', maxLength: 400 }))])(
    'its digest is the one that everybody else finds',
    (text) => {
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
    },
  )
})
