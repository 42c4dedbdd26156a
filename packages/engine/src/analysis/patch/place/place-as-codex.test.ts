import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePatch } from '../patch-text.ts'
import { applyChunks } from '../plan-patch.ts'

/** @throws {Error} where the lines are no chunks */
function updated(content: string, ...lines: readonly string[]) {
  const parsed = parsePatch(['*** Begin Patch', '*** Update File: a', ...lines, '*** End Patch'].join('\n'))
  const hunk = parsed.kind === 'patch' ? parsed.hunks[0] : undefined
  if (hunk?.kind !== 'update') throw new Error(`no update: ${JSON.stringify(parsed)}`)
  const result = applyChunks(content, hunk.chunks, '/w/a', false)
  return result.kind === 'changed' ? result.text : result.problems[0]?.message
}

describe('given chunks of an update', () => {
  it('replaces old lines by new ones', () => {
    expect(updated('a\nb\nc\n', ' a', '-b', '+B', ' c')).toBe('a\nB\nc\n')
    expect(updated('a\n', '-a')).toBe('')
    expect(updated('', '+a')).toBe('a\n')
  })

  it('takes the first of several places behind the context and the chunk before', () => {
    expect(updated('a\na\n', '-a', '+b')).toBe('b\na\n')
    expect(updated('a\nx\na\n', '@@ x', '-a', '+b')).toBe('a\nx\nb\n')
    expect(updated('a\na\na\n', '-a', '+b', '@@', '-a', '+c')).toBe('b\nc\na\n')
  })

  it('leaves context as it stands in the file', () => {
    expect(updated('  a\u2014\t\nb\n', ' a-', '-b', '+c')).toBe('  a\u2014\t\nc\n')
  })

  it('puts what it only adds to the end, whatever its context says', () => {
    expect(updated('a\nb\n', '@@ a', '+c')).toBe('a\nb\nc\n')
    expect(updated('a\n\n', '+c')).toBe('a\n\nc\n')
    expect(updated('a\nb\n', '+c', '@@', '-b', '+B')).toBe('a\nB\nc\n')
  })

  it('wants the end of the file where the patch says so', () => {
    expect(updated('a\nb\na\n', '-a', '+c', '*** End of File')).toBe('a\nb\nc\n')
    expect(updated('a\nb\n', '-a', '+c', '*** End of File')).toBe('Failed to find expected lines in /w/a:\na')
  })
})

describe('given a blank line that ends the old lines and is not there', () => {
  it.each([
    [[' a', '-', '+b'], 'a\nb\nc\n'],
    [[' a', ' ', '+b'], 'a\n\nb\nc\n'],
    [[' a', ' ', '+b', '+'], 'a\n\nb\nc\n'],
    [[' a', '-', '+b', '+'], 'a\nb\nc\n'],
    [[' a', '+b', '-', '+'], 'a\nb\nc\n'],
    [['-a', ' '], 'c\n'],
    [['+q', ' '], 'q\na\nc\n'],
    [['-a', '-c', '+', '-'], ''],
  ])('does without it: %j', (lines, content) => {
    expect(updated('a\nc\n', ...lines)).toBe(content)
  })

  it('does without the blank line of the context before it too, where that ends the new lines', () => {
    expect(updated('x\n\nz\n', ' x', ' ', '-')).toBe('x\nz\n')
    expect(updated('x\n\nz\n', ' x', ' ', '-', '+q')).toBe('x\n\nq\nz\n')
    expect(updated('x\n', ' x', ' ', '-')).toBe('Failed to find expected lines in /w/a:\nx\n\n')
  })

  it('inserts behind the context where nothing is left to seek, also at the end of the file', () => {
    expect(updated('a\nc\nd\n', '@@ a', '+b', ' ', '*** End of File')).toBe('a\nb\nc\nd\n')
  })
})

describe('given the ends of lines', () => {
  it('keeps each, and ends new lines as the first line', () => {
    expect(updated('a\r\nb\nc\n', '-b', '+x', '+y')).toBe('a\r\nx\r\ny\r\nc\n')
  })

  it('takes a lone carriage return for the end of a line, and so for that of new ones', () => {
    expect(updated('a\rb\nc\n', '-b', '+x')).toBe('a\rx\rc\n')
  })

  it('gives the last line its end', () => {
    expect(updated('a\nb', '-a', '+x')).toBe('x\nb\n')
    expect(updated('a', ' a', '+x')).toBe('a\nx\n')
  })
})

describe('given what cannot be found', () => {
  it('says what it sought, without a cut', () => {
    expect(updated('a\n', '@@ def  f', ' a')).toBe("Failed to find context 'def  f' in /w/a")
    expect(updated('a\n', ' a', '-b', '+c', ' ')).toBe('Failed to find expected lines in /w/a:\na\nb\n')
  })

  it('does not find a context line that is the first line of its own chunk', () => {
    expect(updated('a\nb\n', '@@ a', ' a', '-b')).toBe('Failed to find expected lines in /w/a:\na\nb')
  })

  it('does not find chunks out of order', () => {
    expect(updated('a\nb\n', '-b', '@@', '-a')).toBe('Failed to find expected lines in /w/a:\na')
  })
})

describe('given any file and any chunk of it', () => {
  const text = fc.constantFrom('a', 'b', 'c', '', 'x y')

  it('replaces one line and keeps all others', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), fc.array(text, { maxLength: 8 }), (above, below) => {
        const of = (line: string) => [...above, line, ...below].map((one) => `${one}\n`).join('')
        const chunk = [
          ...above.map((line) => ` ${line}`),
          '-unique',
          '+other',
          ...below.map((line) => ` ${line}`),
        ]
        expect(updated(of('unique'), ...chunk)).toBe(of('other'))
      }),
    )
  })

  it('never throws', () => {
    const line = fc.constantFrom(' a', '-a', '+a', ' b', '-b', '+b', ' ', '-', '+', '')
    const ends = fc.constantFrom('\n', '\r\n', '\r', '')
    const content = fc.array(
      fc.tuple(text, ends).map((pair) => pair.join('')),
      { maxLength: 9 },
    )
    fc.assert(
      fc.property(content, fc.array(line, { minLength: 1, maxLength: 6 }), (lines, chunk) => {
        expect(updated(lines.join(''), ...chunk)).toBeTypeOf('string')
      }),
      { numRuns: 1000 },
    )
  })

  it('takes a chunk of half a million lines', () => {
    const content = 'a\nb\n'.repeat(250_000)
    const chunk = ['-a', '+c', ' b'].join('\n')
    expect(updated(content, `${chunk}\n`.repeat(250_000).trimEnd())).toBe('c\nb\n'.repeat(250_000))
  })
})
