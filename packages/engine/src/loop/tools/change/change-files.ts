import {
  commitChanges,
  readOnlyProblem,
  textOfBytes,
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
import { plural } from '@donecheck/core/internal/base'
import { Buffer } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'

/** Changes many files, all or none; shown as a diff. */
export function changeFiles(workFolder: string, plan: Plan): PreparedCall {
  if (plan.kind === 'refused')
    return invalidEdit(
      `the patch does not apply, and nothing was written: ${describeProblems(plan.problems)}`,
      plan.problems.every(({ kind }) => kind === 'bad-path') ? 'outside_work_folder' : 'invalid_patch',
    )
  const changes = withNewFileModes(plan.changes)
  const locked = changes.flatMap((change) => readOnlyProblem(change) ?? [])
  if (locked.length > 0) return invalidEdit(locked.join('; '), 'invalid_patch')
  const lines = changedLines(changes)
  const done =
    lines.length === 0 ? ['No files were modified.'] : ['Success. Updated the following files:', ...lines]
  return {
    kind: 'ready',
    summary: `patch ${plural(changes.length, 'file')}${changes.length === 0 ? '' : `: ${oneLine(lines.join(', '))}`}`,
    preview: previewOf(changes).text,
    action: { kind: 'change', files: fileChangesOf(changes) },
    run: () =>
      commit(workFolder, changes, [...done, ...plan.notes.map((note) => `Note: ${note}`)].join('\n')),
  }
}

/** The approval does not cover later changes. */
async function commit(workFolder: string, changes: ChangeSet, success: string): Promise<ToolOutcome> {
  const committed = await commitChanges(workFolder, changes)
  switch (committed.kind) {
    case 'committed':
      return changes.every(isSame) ? { ...okOutcome(success), changed: false } : okOutcome(success)
    case 'conflict':
      return errorOutcome(
        `${committed.reason}, since the call was prepared. Nothing was written: read it again`,
      )
    case 'failed': {
      const end = committed.rolledBack
        ? 'Nothing was written'
        : 'Some files may be changed and others not: look at each'
      return errorOutcome(`${committed.problem}. ${end}`)
    }
  }
}

function isSame({ before, after }: ChangedFile): boolean {
  if (before === null || after === null) return false
  return before.mode === after.mode && Buffer.compare(before.bytes, after.bytes) === 0
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

export function fileChangesOf(changes: ChangeSet): readonly FileChange[] {
  return changes.map(({ path, before, after }) => ({
    path,
    before: before && textOfBytes(before.bytes),
    after: after && textOfBytes(after.bytes),
  }))
}

interface ChangeRequest {
  readonly workFolder: string
  readonly path: string
  readonly file: ConfinedPath
  readonly verb: 'write' | 'edit'
  readonly change: ChangedFile
}

/** Writes a new content if the file is still the one in the diff. */
export function changeFile({ workFolder, path, file, verb, change }: ChangeRequest): PreparedCall {
  const locked = readOnlyProblem(change)
  if (locked !== undefined) return invalid(locked)
  const { added, removed, text } = previewOf([inPlainText(change)])
  const counts = change.before === null ? `new, ${plural(added, 'line')}` : `+${added} -${removed}`
  const summary = `${verb} ${oneLine(file.relative)} (${counts})`
  return {
    kind: 'ready',
    summary,
    preview: text,
    action: { kind: 'change', files: fileChangesOf([change]) },
    run: async () => {
      const moved = await hasMoved(workFolder, path, file)
      if (moved !== undefined) return errorOutcome(moved)
      const end = isSame(change) ? 'done, and nothing has changed' : 'done'
      return commit(workFolder, [change], `${summary}: ${end}`)
    },
  }
}

function inPlainText(change: ChangedFile): ChangedFile {
  const [old, young] = [textOf(change.before), textOf(change.after)]
  const isSameFormat = change.before !== null && isDeepStrictEqual(old.format, young.format)
  const shown = (image: FileImage | null, { text, marked }: typeof old) =>
    image && { ...image, bytes: Buffer.from(isSameFormat ? text : marked) }
  return { ...change, before: shown(change.before, old), after: shown(change.after, young) }
}

function textOf(image: ChangedFile['after']) {
  const decoded = decodeTextFile(image?.bytes ?? Buffer.alloc(0))
  if (decoded.kind !== 'text') return { text: '', marked: '', format: decoded }
  const { text, lineEnding } = plainText(decoded.text)
  return { text, marked: textWithMark(decoded), format: { ...decoded.format, lineEnding } }
}

const maxLines = 200
const maxLineLength = 1_000

/** A unified diff of at most 200 lines, with its numbers of added and removed lines. */
export function previewOf(changes: ChangeSet) {
  const lines = linesOf(unifiedDiffOf(changes))
  const count = (sign: string) =>
    lines.filter((line) => line.startsWith(sign) && !line.startsWith(`${sign.repeat(3)} `)).length
  return { text: boundLines(lines), added: count('+'), removed: count('-') }
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
