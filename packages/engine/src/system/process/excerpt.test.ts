import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskText } from '@donecheck/core/internal/secrets'
import { excerptOf, OutputCollector, showExcerpt } from './excerpt.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const bounds = fc.record({ headBytes: fc.nat(12), tailBytes: fc.nat(12) })

function collect(
  pieces: readonly Uint8Array[],
  { headBytes, tailBytes }: { headBytes: number; tailBytes: number },
) {
  const collector = new OutputCollector(headBytes, tailBytes)
  for (const piece of pieces) collector.add(Buffer.from(piece))
  return collector.excerpt()
}

describe('given any bytes in any pieces', () => {
  it('knows their number and their digest', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 30 })), bounds, (pieces, limits) => {
        const whole = Buffer.concat(pieces)
        const excerpt = collect(pieces, limits)
        expect(excerpt.totalBytes).toBe(whole.length)
        expect(excerpt.digest).toBe(sha256(whole))
      }),
    )
  })
})

describe('given a text, cut into pieces in the middle of its characters', () => {
  const pieces = fc
    .tuple(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer({ min: 1, max: 9 }))
    .map(([text, size]) => ({ bytes: Buffer.from(text), size }))

  it('keeps a true beginning and a true end, and counts every byte between them', () => {
    fc.assert(
      fc.property(pieces, bounds, ({ bytes, size }, limits) => {
        const parts: Buffer[] = []
        for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size))
        const { head, tail, omittedBytes } = collect(parts, limits)
        expect(bytes.toString().startsWith(head)).toBe(true)
        expect(bytes.toString().endsWith(tail)).toBe(true)
        expect(Buffer.byteLength(head) + omittedBytes + Buffer.byteLength(tail)).toBe(bytes.length)
      }),
    )
  })
})

describe('given a key of a known shape where the text is cut', () => {
  const key = ['sk-ant-', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4hJ6kL8n'].join('')
  const block = [
    '-----BEGIN ',
    'PRIVATE KEY-----\n',
    `${'aB3dE5gH7j'.repeat(6)}\n`.repeat(20),
    '-----END PRIVATE KEY-----',
  ].join('')

  it.each([
    ['a key', key],
    ['a private key', block],
  ])('keeps no piece of %s, wherever the cuts are', (_, secret) => {
    fc.assert(
      fc.property(fc.nat(secret.length + 9), fc.nat(secret.length + 9), fc.nat(60), (head, tail, gap) => {
        const text = `é before ${secret} ${'.'.repeat(gap)} ${secret} behind é`
        const { head: first, tail: last, omittedBytes } = excerptOf(text, head, tail)
        expect(first + last).not.toMatch(omittedBytes > 0 ? /aB3d|dE5g|H7jK|mN1p|kL8n/ : /^$/)
      }),
    )
  })

  it('keeps a key that is whole, for whoever masks it', () => {
    const { head, tail } = excerptOf(`${key} ${'.'.repeat(99)} ${key}`, key.length, key.length)
    expect([head, tail]).toEqual([key, key])
    expect(maskText(head, {})).toBe('[masked:anthropic-key]')
  })
})

describe('showing an excerpt', () => {
  it('says how much is left out', () => {
    const excerpt = collect([Buffer.from('0123456789')], { headBytes: 2, tailBytes: 3 })
    expect(showExcerpt(excerpt)).toBe('01\n[... 5 bytes left out ...]\n789')
  })
})
