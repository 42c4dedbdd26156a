import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../base/index.ts'
import { asksNothing, readCall } from '../calls.ts'
import { textHash } from '../texts.ts'

const sameCall = (one: string, other: string) => readCall({ command: one }) === readCall({ command: other })

describe('given empty arguments', () => {
  it.each([
    [{ command: ' ' }, true],
    [{ content: '' }, true],
    [{}, false],
    [{ command: 'ls' }, false],
    [{ path: '' }, false],
    [{ filter: '' }, false],
    [{ path: 'a.ts', content: '' }, false],
  ])('%j asks nothing: %s', (args, isNothing) => {
    expect(asksNothing(args)).toBe(isNothing)
  })
})

describe('given a command with a comment that holds nothing but the moment', () => {
  it.each([
    ['npm test # 2026-01-31T12:00:00Z', 'npm test # 2026-02-01T08:15:30Z'],
    ['npm test # 2026-01-31T12:00:00Z', 'npm test'],
    ['npm test #12:00:00', 'npm test'],
    ['npm test\t #  1767225600000  \n', '  npm   test'],
  ])('%j is %j', (one, other) => {
    expect(sameCall(one, other)).toBe(true)
  })

  it.each([
    ['npm test # 12:00:00 again', 'npm test'],
    ['npm test#12:00:00', 'npm test'],
    ['npm test -- --seed 1767225600000', 'npm test'],
    ['# 12:00:00', ''],
  ])('%j is not %j', (one, other) => {
    expect(sameCall(one, other)).toBe(false)
  })

  it('is read as the plain pattern would read it', () => {
    /** As one would say it, in time that grows with the square of the blanks. */
    const plain = (text: string) =>
      text
        .replaceAll(/\b12:00:00\b/g, '#')
        .replace(/\s+#\s*#\s*$/, '')
        .replace(/\s+/g, ' ')
        .trim()
    const pieces = fc.constantFrom(' ', '\t', '\n', '\u00a0', '#', ' #', 'a', ' 12:00:00', ' # 12:00:00')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 10 }), (parts) => {
        const command = parts.join('')
        expect(readCall({ command })).toBe(textHash(canonicalJson({ command: plain(command) })))
      }),
    )
  })
})

describe('given a command that is mostly blanks', () => {
  it('is the command without them', () => {
    expect(sameCall(`ls${' '.repeat(3990)}a`, 'ls a')).toBe(true)
    expect(sameCall(`ls${' '.repeat(3990)}`, 'ls')).toBe(true)
    expect(sameCall(`ls${' '.repeat(3980)}# 12:00:00`, 'ls')).toBe(true)
    expect(sameCall(`${' #'.repeat(1990)} a`, `${' #'.repeat(1990)}  a`)).toBe(true)
  })
})
