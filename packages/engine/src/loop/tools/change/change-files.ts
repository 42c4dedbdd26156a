import { commitChanges, readOnlyProblem, withNewFileModes } from '../../../system/files/index.ts'
import {
  describeProblems,
  unifiedDiffOf,
  type ChangedFile,
  type ChangeSet,
  type Plan,
} from '../../../analysis/patch/index.ts'
import type { PreparedCall, ToolOutcome } from '../../../ports/loop.ts'
import { invalidPatch } from '../define-tool.ts'
import { boundPreview } from './diff-preview.ts'
import { fileChangesOf } from './file-changes.ts'
import { oneLine } from '../one-line.ts'
import { okOutcome, errorOutcome } from '../outcome.ts'
import type { WorkTree } from '../work-tree.ts'

/** A call that makes a planned change of many files, all or none: shown as a diff, refused where it cannot be planned. */
export function changeFiles(tree: WorkTree, plan: Plan): PreparedCall {
  if (plan.kind === 'refused')
    return invalidPatch(
      `the patch does not apply, and nothing was written: ${describeProblems(plan.problems)}`,
      plan.problems.every(({ kind }) => kind === 'bad-path') ? 'outside_work_folder' : 'invalid_patch',
    )
  const changes = withNewFileModes(plan.changes)
  const locked = changes.flatMap((change) => readOnlyProblem(change) ?? [])
  if (locked.length > 0) return invalidPatch(locked.join('; '))
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
  const committed = await commitChanges(tree.workFolder, changes, { journalFolder: tree.journalFolder })
  switch (committed.kind) {
    case 'committed': {
      const reported = changes.length === 0 ? 'No files were modified.' : successOf(changes)
      const outcome = okOutcome([reported, ...notes.map((note) => `Note: ${note}`)].join('\n'))
      return changes.length === 0 ? { ...outcome, changed: false } : outcome
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

/** As models know it: added, modified and deleted files, in that order. */
function successOf(changes: ChangeSet): string {
  return ['Success. Updated the following files:', ...linesOf(changes)].join('\n')
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
