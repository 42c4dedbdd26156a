import { describe, expect, it } from 'vitest'
import { plainText } from './define-tool.ts'

describe('given the text of a file', () => {
  it.each([
    ['a\r\nb\r\n', 'a\nb\n', 'crlf'],
    ['a\r\nb\n', 'a\r\nb\n', 'lf'],
    ['a\nb', 'a\nb', 'lf'],
  ])('%j is shown as %j with line ending %s', (content, text, lineEnding) => {
    expect(plainText(content)).toEqual({ text, lineEnding })
  })
})
