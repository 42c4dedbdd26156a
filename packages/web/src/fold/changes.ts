/** What was changed: by calls of the drive, as far as their arguments tell, and in the work folder, as a diff of its trees tells. */
import { z } from 'zod'
import type { Call } from './turns.ts'

export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'head'
  readonly text: string
}

export interface FileDiff {
  readonly path: string
  readonly lines: readonly DiffLine[]
}

/** By one call. */
export interface Change extends FileDiff {
  readonly turn: number
  readonly sequence: number
}

const text = z.string()
const optional = text.optional()

/** The same things under the names that different tools give them. */
const written = z.object({
  path: optional,
  file_path: optional,
  content: optional,
  old_text: optional,
  old_string: optional,
  new_text: optional,
  new_string: optional,
  patch: optional,
  edits: z
    .array(z.object({ old_text: optional, old_string: optional, new_text: optional, new_string: optional }))
    .optional(),
})

type Edit = Pick<z.infer<typeof written>, 'old_text' | 'old_string' | 'new_text' | 'new_string'>

/** Empty for calls that change no file. */
export function changesOfCall(
  { args, sequence }: Pick<Call, 'args' | 'sequence'>,
  turn: number,
): readonly Change[] {
  const read = written.safeParse(args)
  if (!read.success) return []
  const { patch, content, edits = [], ...call } = read.data
  if (patch !== undefined) return changesOfPatch(patch).map((change) => ({ ...change, turn, sequence }))
  const path = call.path ?? call.file_path
  if (path === undefined) return []
  const lines =
    content === undefined
      ? [call, ...edits].flatMap(linesOfEdit)
      : linesIn(content).map((line) => added(line))
  return lines.length === 0 ? [] : [{ path, turn, sequence, lines }]
}

function linesOfEdit(edit: Edit): readonly DiffLine[] {
  const before = edit.old_text ?? edit.old_string
  const after = edit.new_text ?? edit.new_string
  if (before === undefined && after === undefined) return []
  return [
    ...linesIn(before ?? '').map((line): DiffLine => ({ kind: 'removed', text: line })),
    ...linesIn(after ?? '').map(added),
  ]
}

function added(line: string): DiffLine {
  return { kind: 'added', text: line }
}

/** The last line end ends a line and begins none. */
function linesIn(whole: string): readonly string[] {
  return whole === '' ? [] : whole.replace(/\n$/, '').split('\n')
}

/** `*** Update File: a.ts` of the patch format, `+++ b/a.ts` of unified diffs. */
const fileHead = /^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/

function changesOfPatch(patch: string): readonly FileDiff[] {
  const changes: { path: string; lines: DiffLine[] }[] = []
  for (const line of linesIn(patch)) {
    const path = fileHead.exec(line)?.[1]
    if (path !== undefined) changes.push({ path, lines: [] })
    else if (!/^(?:---|\*\*\*) /.test(line)) changes.at(-1)?.lines.push(diffLine(line))
  }
  return changes
}

/** Of a diff as git writes it. What stands before the first hunk of a file names it, and what cannot be shown of it. */
export function filesOfDiff(diff: string): readonly FileDiff[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((part) => part !== '')
    .map((part) => {
      const lines = linesIn(part)
      const first = lines.findIndex((line) => line.startsWith('@@'))
      const head = first === -1 ? lines : lines.slice(0, first)
      const named = (start: string) =>
        head.find((line) => line.startsWith(start) && !line.endsWith('/dev/null'))?.slice(start.length)
      const path = named('+++ b/') ?? named('--- a/') ?? / b\/(.+)$/.exec(head[0] ?? '')?.[1] ?? head[0] ?? ''
      const shown = first === -1 ? head.slice(1).map(headLine) : lines.slice(first).map(diffLine)
      return { path: path.replace(/\t$/, ''), lines: shown }
    })
}

function headLine(line: string): DiffLine {
  return { kind: 'head', text: line }
}

/** Of a unified diff, also with other lines before it, or of a patch. */
export function diffLines(text: string): readonly DiffLine[] {
  const isPatch = text.startsWith('*** Begin Patch')
  let leftInHunk = 0
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      if (isPatch) return line.startsWith('***') ? headLine(line) : diffLine(line)
      const [, removed = '1', added = '1'] = hunkHead.exec(line) ?? []
      if (hunkHead.test(line)) leftInHunk = Number(removed) + Number(added)
      else if (leftInHunk > 0) {
        leftInHunk -= /^[-+]/.test(line) ? 1 : 2
        return diffLine(line)
      }
      return headLine(line)
    })
}

const hunkHead = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/

function diffLine(line: string): DiffLine {
  const kind = kinds[line[0] ?? ' '] ?? 'same'
  return { kind, text: kind === 'head' ? line : line.slice(1) }
}

const kinds: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', '@': 'head' }
