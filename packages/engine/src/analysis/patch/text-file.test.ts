import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeTextFile, encodeTextFile, joinLines, splitLines, usualEnd } from './file-text.ts'

describe('given any bytes', () => {
  it('gives them back, where they are a text', () => {
    const marks = fc.constantFrom<readonly number[]>([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff])
    let texts = 0
    fc.assert(
      fc.property(marks, fc.uint8Array({ maxLength: 20 }), (mark, rest) => {
        const bytes = Uint8Array.from([...mark, ...rest])
        const decoded = decodeTextFile(bytes)
        if (decoded.kind === 'not-text') return
        texts += 1
        expect(encodeTextFile(decoded.text, decoded.format)).toEqual(bytes)
      }),
      { numRuns: 500 },
    )
    expect(texts).toBeGreaterThan(100)
  })

  it('knows UTF-8, and that the rest is unknown', () => {
    const formatOf = (...bytes: readonly number[]) => decodeTextFile(Uint8Array.from(bytes))
    expect(formatOf(0x61)).toEqual({
      kind: 'text',
      text: 'a',
      format: { encoding: 'utf-8', hasByteOrderMark: false },
    })
    expect(formatOf(0xff, 0xfe, 0x61, 0x61)).toMatchObject({
      kind: 'not-text',
      problem: expect.stringContaining('UTF-16') as unknown,
    })
    expect(formatOf(0xfe, 0xff)).toMatchObject({ kind: 'not-text' })
    expect(formatOf(0x61, 0xe9)).toMatchObject({ text: 'aé', format: { encoding: '8-bit' } })
    expect(formatOf(0x61, 0, 0xe9)).toMatchObject({ kind: 'not-text' })
    expect(formatOf(0x61, 0)).toMatchObject({ kind: 'not-text', problem: 'is binary: it holds NUL bytes' })
  })

  it('reads long ones', () => {
    const bytes = new Uint8Array(100_001).fill(0xe9)
    expect(decodeTextFile(bytes)).toMatchObject({ kind: 'text', text: 'é'.repeat(100_001) })
  })
})

describe('given a text', () => {
  it('is its lines with their ends', () => {
    const piece = fc.constantFrom('a', '\n', '\r\n', '\r', ' ')
    fc.assert(
      fc.property(fc.string({ unit: piece }), (text) => {
        const lines = splitLines(text)
        expect(joinLines(lines)).toBe(text)
        expect(lines.slice(0, -1).every(({ end }) => end !== '')).toBe(true)
        expect(lines.every((line) => !line.text.includes('\n'))).toBe(true)
      }),
    )
  })

  it.each([
    ['', '\n'],
    ['a', '\n'],
    ['a\r\nb\n', '\n'],
    ['a\r\nb\r\nc\n', '\r\n'],
    ['a\rb\rc\n', '\n'],
  ])('%j ends its lines in %j', (text, end) => {
    expect(usualEnd(splitLines(text))).toBe(end)
  })
})
