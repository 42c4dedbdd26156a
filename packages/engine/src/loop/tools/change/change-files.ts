import {
  commitChanges,
  readOnlyProblem,
  withNewFileModes,
  hasMoved,
  type ConfinedPath,
} from '../../../system/files/index.ts'
import type { FileChange } from '../../../ports/gate.ts'
import {
  decodeTextFile,
  describeProblems,
  textWithMark,
  unifiedDiffOf,
  type ChangedFile,
  type ChangeSet,
  type FileImage,
  type Plan,
} from '../../../analysis/patch/index.ts'
import type { PreparedCall, ToolOutcome } from '../../../ports/loop.ts'
import { errorOutcome, invalidEdit, okOutcome, oneLine, invalid, plainText, linesOf } from '../define-tool.ts'
import { Buffer } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'

/** A call that makes a planned change of many files, all or none: shown as a diff, refused where it cannot be planned. */
export function changeFiles(workFolder: string, plan: Plan): PreparedCall {
  if (plan.kind === 'refused')
    return invalidEdit(
      `the patch does not apply, and nothing was written: ${describeProblems(plan.problems)}`,
      plan.problems.every(({ kind }) => kind === 'bad-path') ? 'outside_work_folder' : 'invalid_patch',
    )
  const changes = withNewFileModes(plan.changes)
  const locked = changes.flatMap((change) => readOnlyProblem(change) ?? [])
  if (locked.length > 0) return invalidEdit(locked.join('; '), 'invalid_patch')
  const count = changes.length === 1 ? '1 file' : `${changes.length} files`
  return {
    kind: 'ready',
    summary: `patch ${count}${changes.length === 0 ? '' : `: ${oneLine(changedLines(changes).join(', '))}`}`,
    preview: boundPreview(unifiedDiffOf(changes)),
    action: { kind: 'change', files: fileChangesOf(changes) },
    run: () => applyAll(workFolder, changes, plan.notes),
  }
}

async function applyAll(
  workFolder: string,
  changes: ChangeSet,
  notes: readonly string[],
): Promise<ToolOutcome> {
  const committed = await commitChanges(workFolder, changes)
  switch (committed.kind) {
    case 'committed': {
      const reported = notes.map((note) => `Note: ${note}`)
      if (changes.length === 0)
        return { ...okOutcome(['No files were modified.', ...reported].join('\n')), changed: false }
      const success = ['Success. Updated the following files:', ...changedLines(changes)]
      return okOutcome([...success, ...reported].join('\n'))
    }
    case 'conflict':
      return errorOutcome(
        `${committed.reason}, since the patch was prepared. Nothing was written: read the file again and make the patch anew`,
      )
    case 'failed': {
      const end = committed.rolledBack
        ? 'Nothing was written'
        : 'Some files may be changed and others not: look at each'
      return errorOutcome(`${committed.problem}. ${end}`)
    }
  }
}

function changedLines(changes: ChangeSet): readonly string[] {
  const moved = new Set(changes.map(({ movedFrom }) => movedFrom))
  const lines = changes
    .filter(({ path, after }) => after !== null || !moved.has(path))
    .map((change) => `${letterOf(change)} ${change.path}`)
  return ['A', 'M', 'D'].flatMap((letter) => lines.filter((line) => line.startsWith(letter)))
}

function letterOf({ before, after, movedFrom }: ChangedFile): 'A' | 'M' | 'D' {
  if (after === null) return 'D'
  return before === null && movedFrom === undefined ? 'A' : 'M'
}

/** The changes as the gate looks at them: as texts, wherever a patch or an edit could change them as texts. */
export function fileChangesOf(changes: ChangeSet): readonly FileChange[] {
  return changes.map(({ path, before, after }) => ({
    path,
    before: imageText(before),
    after: imageText(after),
  }))
}

function imageText(image: FileImage | null): string | null | undefined {
  if (image === null) return null
  const decoded = decodeTextFile(image.bytes)
  return decoded.kind === 'text' ? textWithMark(decoded) : undefined
}

interface ChangeRequest {
  readonly workFolder: string
  readonly path: string
  readonly file: ConfinedPath
  readonly verb: 'write' | 'edit'
  /** Of that file, which is there afterwards; a text before and after. */
  readonly change: ChangedFile
}

/** A call that gives a file another content: shown as a diff, done only while the file is what the diff was made of. */
export function changeFile(request: ChangeRequest): PreparedCall {
  const { file, verb, change } = request
  const locked = readOnlyProblem(change)
  if (locked !== undefined) return invalid(locked)
  const { added, removed, text } = previewOf(change)
  const counts =
    change.before === null ? `new, ${added} ${added === 1 ? 'line' : 'lines'}` : `+${added} -${removed}`
  const summary = `${verb} ${oneLine(file.relative)} (${counts})`
  return {
    kind: 'ready',
    summary,
    preview: text,
    action: { kind: 'change', files: fileChangesOf([change]) },
    run: () => apply(request, `${summary}: done`),
  }
}

/** Line endings and byte order marks are shown where they would change, and only there. */
function previewOf({ path, before, after }: ChangedFile): DiffPreview {
  const young = textOf(after)
  if (before === null) return previewDiff(path, null, young.marked)
  const old = textOf(before)
  return isDeepStrictEqual(old.format, young.format)
    ? previewDiff(path, old.text, young.text)
    : previewDiff(path, old.marked, young.marked)
}

function textOf(image: ChangedFile['after']) {
  const decoded = decodeTextFile(image?.bytes ?? Buffer.alloc(0))
  if (decoded.kind !== 'text') return { text: '', marked: '', format: decoded }
  const { text, lineEnding } = plainText(decoded.text)
  return { text, marked: textWithMark(decoded), format: { ...decoded.format, lineEnding } }
}

async function apply(
  { workFolder, path, file, change }: ChangeRequest,
  reported: string,
): Promise<ToolOutcome> {
  const moved = await hasMoved(workFolder, path, file)
  if (moved !== undefined) return errorOutcome(moved)
  const committed = await commitChanges(workFolder, [change])
  switch (committed.kind) {
    case 'committed':
      return isSame(change)
        ? { ...okOutcome(`${reported}, and nothing has changed`), changed: false }
        : okOutcome(reported)
    case 'conflict':
      // Nobody has agreed to overwrite what came in between.
      return errorOutcome(`${file.relative} has changed since the call was prepared: read it again`)
    case 'failed':
      return errorOutcome(`${file.relative} was not written: ${committed.problem}`)
  }
}

function isSame({ before, after }: ChangedFile): boolean {
  return before !== null && after !== null && Buffer.compare(before.bytes, after.bytes) === 0
}

interface DiffPreview {
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

function boundPreview(diff: string): string {
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
