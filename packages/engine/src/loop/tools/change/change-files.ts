import { commitChanges, readOnlyProblem, withNewFileModes } from '../../../system/files/index.ts'
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
import { errorOutcome, invalidEdit, okOutcome, type WorkTree, oneLine } from '../define-tool.ts'
import { boundPreview } from './diff-preview.ts'

/** A call that makes a planned change of many files, all or none: shown as a diff, refused where it cannot be planned. */
export function changeFiles(tree: WorkTree, plan: Plan): PreparedCall {
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
    summary: `patch ${count}${changes.length === 0 ? '' : `: ${oneLine(linesOf(changes).join(', '))}`}`,
    preview: boundPreview(unifiedDiffOf(changes)),
    action: { kind: 'change', files: fileChangesOf(changes) },
    run: () => apply(tree, changes, plan.notes),
  }
}

async function apply(tree: WorkTree, changes: ChangeSet, notes: readonly string[]): Promise<ToolOutcome> {
  const committed = await commitChanges(tree.workFolder, changes)
  switch (committed.kind) {
    case 'committed': {
      const reported = notes.map((note) => `Note: ${note}`)
      if (changes.length === 0)
        return { ...okOutcome(['No files were modified.', ...reported].join('\n')), changed: false }
      // As models know it: added, modified and deleted files, in that order.
      const success = ['Success. Updated the following files:', ...linesOf(changes)]
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

function linesOf(changes: ChangeSet): readonly string[] {
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
  return changes.map(({ path, before, after }) => ({ path, before: textOf(before), after: textOf(after) }))
}

function textOf(image: FileImage | null): string | null | undefined {
  if (image === null) return null
  const decoded = decodeTextFile(image.bytes)
  return decoded.kind === 'text' ? textWithMark(decoded) : undefined
}
