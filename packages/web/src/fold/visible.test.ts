import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visiblePieces } from './visible.ts'

const shown = (text: string) =>
  visiblePieces(text)
    .map((piece) => (piece.isMark ? `[${piece.text}]` : piece.text))
    .join('')

describe('given text that hides something', () => {
  it.each([
    ['an escape sequence', 'a\u001b[2Jb', 'a[␛][2Jb'],
    ['a mark that turns the text around', 'a\u202eb', 'a[U+202E]b'],
    ['a space without width', 'a\u200bb', 'a[U+200B]b'],
    ['letters that only machines read', 'a\u{E0041}b', 'a[U+E0041]b'],
    ['half a character', 'a\ud800b', 'a[U+D800]b'],
    ['a line of Windows', 'a\r\nb', 'a\nb'],
    ['words of another direction', 'שלום', 'שלום'],
    ['an emoji and a tab', '😀\tx', '😀\tx'],
  ])('shows %s', (_, text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it('leaves out nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(shown(text)).toBe(text)
      }),
    )
  })
})
