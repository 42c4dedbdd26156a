import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeUtf8, encodeUtf8 } from './file-text.ts'

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodedByThePlatform(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

describe('given bytes', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
    fc.uint8Array({ maxLength: 4 }),
    fc.constantFrom([0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe0, 0x9f, 0xbf], [0xef, 0xbb, 0xbf]),
  )
  const anyBytes = fc
    .array(piece, { maxLength: 6 })
    .map((pieces) => Uint8Array.from(pieces.flatMap((one) => [...one])))

  it('reads what the platform reads, and refuses what it refuses', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const decoded = decodeUtf8(bytes)
        expect(decoded.kind === 'text' ? decoded.text : undefined).toBe(decodedByThePlatform(bytes))
      }),
    )
  })

  it.each([
    [[0x61, 0xff], 'invalid utf-8 sequence of 1 bytes from index 1'],
    [[0x61, 0xe2, 0x82], 'incomplete utf-8 byte sequence from index 1'],
    [[0xf0, 0x9f, 0x98], 'incomplete utf-8 byte sequence from index 0'],
    [[0x61, 0xe2, 0x28, 0xa1], 'invalid utf-8 sequence of 1 bytes from index 1'],
    [[0xf0, 0x9f, 0x41], 'invalid utf-8 sequence of 2 bytes from index 0'],
    [[0xf0, 0x9f, 0x98, 0x41], 'invalid utf-8 sequence of 3 bytes from index 0'],
    [[0xed, 0xa0, 0x80], 'invalid utf-8 sequence of 1 bytes from index 0'],
    [[0xc0, 0x80], 'invalid utf-8 sequence of 1 bytes from index 0'],
    [[0x61, 0x62, 0xf5], 'invalid utf-8 sequence of 1 bytes from index 2'],
  ])('says of %j: %s', (bytes, problem) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toEqual({ kind: 'invalid', problem })
  })
})

describe('given a text', () => {
  it('writes what the platform writes, half a surrogate pair as U+FFFD', () => {
    const units = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\ud800', '\udc00', '\ud83d\ude00', '\ufeff'),
    )
    fc.assert(
      fc.property(fc.array(units), (pieces) => {
        const text = pieces.join('')
        expect(encodeUtf8(text)).toEqual(new TextEncoder().encode(text))
      }),
    )
  })

  it('comes back as it was, however long', () => {
    const text = '\ufeffa\u00e9\u20ac\ud83d\ude00\r\n'.repeat(5000)
    expect(decodeUtf8(encodeUtf8(text))).toEqual({ kind: 'text', text })
  })
})
