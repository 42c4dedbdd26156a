import fc from 'fast-check'
import { visibleWidth } from '@earendil-works/pi-tui'
import { describe, expect, it } from 'vitest'
import { cutLine, wrapLine } from './live-lines.ts'

const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', '\t', '\n', ' ', 'ü', '漢', '👩‍👩‍👧', '…', '-'),
  maxLength: 200,
})
const width = fc.integer({ min: 2, max: 130 })
const inkOf = (given: string) => given.replaceAll(/\s/g, '')

describe('given any text and width', () => {
  it('then no line is wider, and nothing but blanks is lost', () => {
    fc.assert(
      fc.property(text, width, (given, wide) => {
        const lines = wrapLine({ tone: 'plain', text: given }, wide).map((line) => line.text)
        for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(wide)
        expect(inkOf(lines.join(''))).toBe(inkOf(given))
        expect(lines.length).toBeGreaterThanOrEqual(given.split('\n').length)
      }),
    )
  })

  it('then a line that is cut says so, and is never wider', () => {
    fc.assert(
      fc.property(text, width, (given, wide) => {
        const line = inkOf(given)
        const cut = cutLine(line, wide)
        expect(visibleWidth(cut)).toBeLessThanOrEqual(wide)
        expect(cut === line || (cut.endsWith('…') && line.startsWith(cut.slice(0, -1)))).toBe(true)
      }),
    )
  })
})

describe('given a line that begins deep', () => {
  it('then what goes on stands as deep', () => {
    expect(wrapLine({ tone: 'bad', text: '  ✗ one two three' }, 10).map(({ text: line }) => line)).toEqual([
      '  ✗ one',
      '  two',
      '  three',
    ])
  })

  it('then on the narrowest of screens it is no deeper than leaves room for a wide sign', () => {
    expect(wrapLine({ tone: 'plain', text: ' 漢' }, 2).map(({ text: line }) => line)).toEqual(['漢'])
  })
})
