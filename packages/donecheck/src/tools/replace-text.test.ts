import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replaceText, type ReplaceRequest } from './replace-text.ts'

function replace(text: string, oldText: string, newText: string, changes: Partial<ReplaceRequest> = {}) {
  return replaceText(text, { oldText, newText, replaceAll: false, maxLength: 1_000_000, ...changes })
}

describe('given a text to replace', () => {
  it('the one place is replaced, and characters with a meaning elsewhere are plain here', () => {
    expect(replace('a (b) c', '(b)', '$& $1')).toEqual({ kind: 'replaced', text: 'a $& $1 c', count: 1 })
  })

  it('says how often and where it was found when that is not once', () => {
    expect(replace('x\ny\nx\n\nx', 'x', 'z')).toMatchObject({
      reason: expect.stringMatching(/^old_text was found 3 times, at lines 1, 3, 5: /) as string,
    })
  })

  it('places that overlap are two places', () => {
    expect(replace('aaa', 'aa', 'b')).toMatchObject({ kind: 'not-replaced' })
  })

  it('all places are replaced on demand', () => {
    expect(replace('x\ny\nx', 'x', 'z', { replaceAll: true })).toEqual({
      kind: 'replaced',
      text: 'z\ny\nz',
      count: 2,
    })
  })

  it.each([
    ['  if (a) {\n\treturn 1\n  }\n', 'if (a) {\n    return 1\n}', 'at line 1 that differs in white space'],
    ['one\n', 'two', 'read the file again'],
    ['one\n', '  \n ', 'read the file again'],
  ])('in %j, %j is not found, and the reason helps', (text, oldText, hint) => {
    expect(replace(text, oldText, 'new')).toMatchObject({ reason: expect.stringContaining(hint) as string })
  })

  it('a replacement by the same is none', () => {
    expect(replace('a', 'a', 'a')).toMatchObject({ kind: 'not-replaced' })
  })

  it('a result that is too long is refused before it is made', () => {
    const huge = 'y'.repeat(100_000)
    expect(replace('x'.repeat(100_000), 'x', huge, { replaceAll: true })).toMatchObject({
      reason: 'the result would have 10000000000 characters, more than 1000000',
    })
  })

  it('a text that occurs at every place ends', () => {
    expect(replace('a'.repeat(2_000_000), 'a'.repeat(1_000_000), 'b')).toMatchObject({
      reason: expect.stringContaining('20 or more times') as string,
    })
  })

  const small = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 8 })
  const part = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 3 })
  test.prop([small, part, part], { numRuns: 500 })(
    'only what is asked for changes',
    (text, oldText, newText) => {
      const starts = Array.from(text).filter((_, index) => text.startsWith(oldText, index)).length
      const replaced = replace(text, oldText, newText)
      expect(replaced.kind === 'replaced').toBe(starts === 1 && oldText !== newText)
      if (replaced.kind === 'replaced') expect(replaced.text).toBe(text.replace(oldText, () => newText))
    },
  )
})
