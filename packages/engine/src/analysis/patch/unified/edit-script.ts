import { diffArrays } from 'diff'

/** Lines of one text that give way to lines of the other; all counted from 0. */
export interface Edit {
  readonly oldStart: number
  readonly oldCount: number
  readonly newStart: number
  readonly newCount: number
}

/** The smallest change is looked for up to so many lines that differ: the time for it grows with the square. */
const maxDifferences = 1_500

/** Lines with their ends; only the last may have none. */
export function linesWithEnds(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** In order, at least one equal line between each two. Texts that differ very much are one edit. */
export function editsBetween(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail += 1
  const oldMiddle = before.slice(head, before.length - tail)
  const newMiddle = after.slice(head, after.length - tail)
  if (oldMiddle.length + newMiddle.length === 0) return []
  return smallest(oldMiddle, newMiddle, head)
}

function smallest(before: readonly string[], after: readonly string[], head: number): readonly Edit[] {
  const whole = { oldStart: head, oldCount: before.length, newStart: head, newCount: after.length }
  if (before.length === 0 || after.length === 0) return [whole]
  const parts = diffArrays([...before], [...after], { maxEditLength: maxDifferences })
  if (parts === undefined) return [whole]
  const edits: Edit[] = []
  let [oldNext, newNext] = [head, head]
  let open: Edit | undefined
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      if (open !== undefined) edits.push(open)
      open = undefined
      oldNext += value.length
      newNext += value.length
      continue
    }
    open ??= { oldStart: oldNext, oldCount: 0, newStart: newNext, newCount: 0 }
    const oldCount = open.oldCount + (removed ? value.length : 0)
    const newCount = open.newCount + (added ? value.length : 0)
    open = { ...open, oldCount, newCount }
    if (removed) oldNext += value.length
    else newNext += value.length
  }
  return open === undefined ? edits : [...edits, open]
}

/** Edits whose context would touch or overlap belong to one hunk. */
export function hunksOf(
  edits: readonly Edit[],
  contextLines: number,
): readonly (readonly [Edit, ...Edit[]])[] {
  const hunks: [Edit, ...Edit[]][] = []
  for (const edit of edits) {
    const last = hunks.at(-1)
    const before = last?.at(-1)
    const isNear =
      before !== undefined && edit.oldStart - (before.oldStart + before.oldCount) <= 2 * contextLines
    if (last !== undefined && isNear) last.push(edit)
    else hunks.push([edit])
  }
  return hunks
}

/** The lines of a hunk, each with what becomes of it. */
export interface HunkLine {
  readonly sign: ' ' | '-' | '+'
  /** With its end. */
  readonly line: string
}

export interface HunkLines {
  readonly lines: readonly HunkLine[]
  /** Of its first line, counted from 0. */
  readonly oldStart: number
  readonly newStart: number
}

export function hunkLinesOf(
  before: readonly string[],
  after: readonly string[],
  edits: readonly [Edit, ...Edit[]],
  contextLines: number,
): HunkLines {
  const lead = Math.min(contextLines, edits[0].oldStart)
  const oldStart = edits[0].oldStart - lead
  const lines: HunkLine[] = []
  const push = (sign: HunkLine['sign'], from: readonly string[], start: number, end: number) => {
    for (const line of from.slice(start, end)) lines.push({ sign, line })
  }
  let next = oldStart
  for (const edit of edits) {
    push(' ', before, next, edit.oldStart)
    next = edit.oldStart + edit.oldCount
    push('-', before, edit.oldStart, next)
    push('+', after, edit.newStart, edit.newStart + edit.newCount)
  }
  push(' ', before, next, Math.min(before.length, next + contextLines))
  return { lines, oldStart, newStart: edits[0].newStart - lead }
}
