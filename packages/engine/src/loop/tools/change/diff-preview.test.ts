import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { previewOf } from './change-files.ts'

const image = (text: string | null) => (text === null ? null : { bytes: Buffer.from(text), mode: 0o644 })
const preview = (path: string, before: string | null, after: string) =>
  previewOf([{ path, before: image(before), after: image(after) }])

describe('given what a file is and what it would be', () => {
  it('shows a unified diff and counts its lines', () => {
    expect(preview('a.txt', 'one\ntwo\n', 'one\n2\nthree\n')).toEqual({
      text: 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+three',
      added: 2,
      removed: 1,
    })
  })

  it('a long diff is cut, and says how much is missing', () => {
    const lines = preview('a', null, 'line\n'.repeat(1_000)).text.split('\n')
    expect(lines).toHaveLength(200)
    expect(lines.at(-1)).toBe('[... 806 more lines of the diff ...]')
  })

  it('a long line is cut, and says how much is missing', () => {
    expect(preview('a', null, 'x'.repeat(5_000)).text).toContain('[... 4001 more characters ...]')
  })

  it('texts that have nothing in common are shown as one replacement', () => {
    const lines = (word: string) => Array.from({ length: 50_000 }, (_, index) => `${word}${index}`).join('\n')
    expect(preview('a', lines('old'), lines('new'))).toMatchObject({ added: 50_000, removed: 50_000 })
  })
})
