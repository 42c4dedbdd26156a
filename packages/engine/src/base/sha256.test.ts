import { createHash } from 'node:crypto'
import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownSha256, sha256 } from './sha256.ts'

const known = (text: string) => createHash('sha256').update(text).digest('hex')

describe('given a text', () => {
  test.prop([fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary', maxLength: 400 }))])(
    'its digest is the one that everybody else finds',
    (text) => {
      expect(sha256(text)).toBe(known(text))
      expect(ownSha256(new TextEncoder().encode(text))).toBe(known(text))
    },
  )

  it.each([0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 16_383, 16_384, 16_385, 100_000])(
    'of %i characters too',
    (length) => {
      expect(sha256('a'.repeat(length))).toBe(known('a'.repeat(length)))
      expect(ownSha256(new TextEncoder().encode('a'.repeat(length)))).toBe(known('a'.repeat(length)))
    },
  )
})
