import { test } from '@fast-check/vitest'
import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText, encodeText, linesOf } from './text-file.ts'

const piece = fc.constantFrom('a', 'ü', '漢', '\n', '\r\n', '\r', '\ufeff', ' ')
const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

describe('given the bytes of a file', () => {
  test.prop([anyText], { numRuns: 500 })('a text comes back byte for byte', (text) => {
    const bytes = Buffer.from(text)
    const decoded = decodeText(bytes)
    if (decoded.kind !== 'text') throw new TypeError(`${JSON.stringify(text)} is no text`)
    expect(encodeText(decoded.text, decoded.format).equals(bytes)).toBe(true)
  })

  it.each([
    ['a\r\nb\r\n', 'a\nb\n', 'crlf'],
    ['a\r\nb\n', 'a\r\nb\n', 'lf'],
    ['a\nb', 'a\nb', 'lf'],
  ])('%j is read as %j with line ending %s', (content, text, lineEnding) => {
    expect(decodeText(Buffer.from(content))).toMatchObject({ text, format: { lineEnding } })
  })

  it('a byte order mark is no part of the text', () => {
    expect(decodeText(Buffer.from('\ufeffa'))).toMatchObject({
      text: 'a',
      format: { hasByteOrderMark: true },
    })
  })

  it('names what is no text', () => {
    expect(decodeText(Buffer.from([0x61, 0, 0x62])).kind).toBe('binary')
    expect(decodeText(Buffer.from([0x61, 0xe9, 0x62])).kind).toBe('not-utf8')
  })

  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\n', ['a', '']],
    ['\n', ['']],
  ])('%j has the lines %j', (text, lines) => {
    expect(linesOf(text)).toEqual(lines)
  })
})
