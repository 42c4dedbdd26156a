import { lineKinds, type ChunkLine } from '../hunk.ts'
import type { UnifiedHunk } from './unified-diff.ts'

export type ReadHunk =
  | { readonly kind: 'hunk'; readonly hunk: UnifiedHunk; readonly next: number }
  | { readonly kind: 'invalid'; readonly message: string; readonly line: number }

const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/

export function isHunkHeader(line: string): boolean {
  return line.startsWith('@@')
}

/** The hunk whose header stands at `at`. Its counts must be right: they alone say where it ends. */
export function readHunk(all: readonly string[], at: number): ReadHunk {
  const numbers = header.exec(all[at] ?? '')
  const line = at + 1
  if (numbers === null)
    return { kind: 'invalid', message: `not a hunk header: ${JSON.stringify(all[at])}`, line }
  let [oldLeft, newLeft] = [countOf(numbers[2]), countOf(numbers[3])]
  const lines: ChunkLine[] = []
  let next = at + 1
  for (; oldLeft > 0 || newLeft > 0 || isNoNewline(all[next]); next += 1) {
    const text = all[next]
    if (isNoNewline(text)) {
      const last = lines.pop()
      if (last === undefined)
        return { kind: 'invalid', message: 'no line stands before this one', line: next + 1 }
      lines.push({ ...last, isUnterminated: true })
      continue
    }
    const kind = text === '' ? 'context' : lineKinds[text?.charAt(0) ?? '']
    if (text === undefined || kind === undefined || (text === '' && next === all.length - 1))
      return wrongCount(line, next, oldLeft, newLeft)
    if (kind !== 'added') oldLeft -= 1
    if (kind !== 'removed') newLeft -= 1
    if (oldLeft < 0 || newLeft < 0) return wrongCount(line, next, oldLeft, newLeft)
    lines.push({ kind, text: text.slice(1), line: next + 1 })
  }
  const surplus = all[next] ?? ''
  if (isSurplus(surplus, all[next + 1])) return wrongCount(line, next, -1, -1)
  return { kind: 'hunk', hunk: { oldStart: Number(numbers[1]), lines, line }, next }
}

function countOf(written: string | undefined): number {
  return written === undefined ? 1 : Number(written)
}

function isNoNewline(line: string | undefined): boolean {
  return line?.startsWith('\\ ') === true
}

/** A line like those of the hunk, behind its last one: not the header of the next file, nor the signature of a mail. */
function isSurplus(line: string, following: string | undefined): boolean {
  if (/^-- \r?$/.test(line)) return false
  if (line.startsWith('--- ') && following?.startsWith('+++ ') === true) return false
  return /^[-+ ]/.test(line)
}

function wrongCount(line: number, at: number, oldLeft: number, newLeft: number): ReadHunk {
  const isMore = oldLeft < 0 || newLeft < 0
  const what = isMore ? 'more lines' : 'fewer lines'
  return {
    kind: 'invalid',
    message: `the hunk has ${what} than its header says (seen at line ${at + 1})`,
    line,
  }
}
