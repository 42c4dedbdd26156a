import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'
import { linesOf } from '../define-tool.ts'

export interface DiffPreview {
  /** A unified diff of at most 200 lines. */
  readonly text: string
  readonly added: number
  readonly removed: number
}

const maxLines = 200
const maxLineLength = 1_000
/** Texts that differ in more lines are not compared: the time for it grows with the square. */
const maxEdits = 2_000

/** What would change in a file. @param before null: there is no such file yet */
export function previewDiff(path: string, before: string | null, after: string): DiffPreview {
  const names = [before === null ? '/dev/null' : `a/${path}`, `b/${path}`] as const
  const options = { context: 3, maxEditLength: maxEdits }
  const patch = structuredPatch(...names, before ?? '', after, undefined, undefined, options)
  if (patch === undefined) return previewReplacement(names, before ?? '', after)
  const changed = patch.hunks.flatMap(({ lines }) => lines)
  const count = (sign: string) => changed.filter((line) => line.startsWith(sign)).length
  const lines = linesOf(formatPatch(patch, FILE_HEADERS_ONLY))
  return { text: boundLines(lines), added: count('+'), removed: count('-') }
}

function previewReplacement(names: readonly [string, string], before: string, after: string): DiffPreview {
  const [removed, added] = [linesOf(before), linesOf(after)]
  const note = `[too different to compare: all ${removed.length} lines are replaced by these ${added.length}]`
  const lines = [`--- ${names[0]}`, `+++ ${names[1]}`, note, ...added.map((line) => `+${line}`)]
  return { text: boundLines(lines), added: added.length, removed: removed.length }
}

/** As much of it as a person can be shown. */
export function boundPreview(diff: string): string {
  return boundLines(linesOf(diff))
}

function boundLines(lines: readonly string[]): string {
  const shown = lines.slice(0, maxLines).map(truncateLine)
  const rest = lines.length - maxLines
  if (rest > 0) shown[maxLines - 1] = `[... ${rest + 1} more lines of the diff ...]`
  return shown.join('\n')
}

function truncateLine(line: string): string {
  const rest = line.length - maxLineLength
  return rest > 0 ? `${line.slice(0, maxLineLength)} [... ${rest} more characters ...]` : line
}
