import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visibleLine, visibleText } from './visible.ts'

const anyText = fc.string({ unit: 'binary' })

describe('given hostile text', () => {
  it.each([
    ['\u001b[2J\u001b[1;1Hrm -rf', '\\x1b[2J\\x1b[1;1Hrm -rf'],
    ['a\rb', 'a\\rb'],
    ['\u009b31m', '\\x9b31m'],
    ['safe\u202etxt.exe', 'safe\\u{202e}txt.exe'],
    ['zero\u200bwidth', 'zero\\u{200b}width'],
    ['\u{e0041}tag', '\\u{e0041}tag'],
    ['\ud800', '\\u{d800}'],
    ['\u3164', '\\u{3164}'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visibleLine(text)).toBe(shown)
    expect(visibleText(text)).toBe(shown)
  })

  it('a line keeps no line feed, a text keeps its lines and tabs', () => {
    expect(visibleLine('a\n\tb')).toBe('a\\n\\tb')
    expect(visibleText('a\n\tb')).toBe('a\n\tb')
  })

  test.prop([anyText])('nothing that a terminal acts on is left', (text) => {
    expect(visibleLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
    expect(visibleText(text)).not.toMatch(/[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}]/u)
  })

  test.prop([fc.string({ unit: fc.constantFrom('a', 'ü', '漢', ' ', '\\', '-', '"') })])(
    'ordinary text stays as it is',
    (text) => {
      expect(visibleLine(text)).toBe(text)
    },
  )
})
