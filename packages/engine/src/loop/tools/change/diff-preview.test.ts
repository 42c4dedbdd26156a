import { test } from '@fast-check/vitest'
import { applyPatch } from 'diff'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { previewDiff } from './change-files.ts'

const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'))

describe('given what a file is and what it would be', () => {
  it('shows a unified diff and counts its lines', () => {
    expect(previewDiff('a.txt', 'one\ntwo\n', 'one\n2\nthree\n')).toEqual({
      text: '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+three',
      added: 2,
      removed: 1,
    })
  })

  test.prop([text, text])('the diff leads from the one to the other', (before, after) => {
    const preview = previewDiff('a', before, after)
    expect(applyPatch(before, preview.text)).toBe(after)
  })

  it('a long diff is cut, and says how much is missing', () => {
    const lines = previewDiff('a', null, 'line\n'.repeat(1_000)).text.split('\n')
    expect(lines).toHaveLength(200)
    expect(lines.at(-1)).toBe('[... 804 more lines of the diff ...]')
  })

  it('a long line is cut, and says how much is missing', () => {
    expect(previewDiff('a', null, 'x'.repeat(5_000)).text).toContain('[... 4001 more characters ...]')
  })

  it('texts that have nothing in common are not compared line by line', () => {
    const lines = (word: string) => Array.from({ length: 50_000 }, (_, index) => `${word}${index}`).join('\n')
    const preview = previewDiff('a', lines('old'), lines('new'))
    expect(preview).toMatchObject({ added: 50_000, removed: 50_000 })
    expect(preview.text).toContain(
      '[too different to compare: all 50000 lines are replaced by these 50000]\n+new0\n',
    )
  })
})
