/** The same case by donecheck: planned, and then committed as one change. */
import { commitChanges, confinedFiles } from '@donecheck/engine/internal/system/files'
import { decodeUtf8, planPatch, type PatchProblem } from '@donecheck/engine/internal/analysis/patch'
import { inCaseFolder, type PatchCase, type TreeLook } from './patch-runs.ts'

export interface StrictRun {
  /** Undefined: it was committed. */
  readonly problems: readonly PatchProblem[] | undefined
  readonly notes: readonly string[]
  readonly tree: TreeLook
}

/** @throws {Error} where a plan cannot be committed */
export async function runStrict(test: PatchCase): Promise<StrictRun> {
  const text = typeof test.patch === 'string' ? test.patch : decodeUtf8(test.patch)
  let notes: readonly string[] = []
  const { ended, tree } = await inCaseFolder(test.tree, async (folder) => {
    if (text === undefined) return [{ kind: 'malformed' as const, message: 'no UTF-8' }]
    const plan = await planPatch(text, confinedFiles(folder))
    if (plan.kind === 'refused') return plan.problems
    notes = plan.notes
    const committed = await commitChanges(folder, plan.changes)
    if (committed.kind !== 'committed') throw new Error(JSON.stringify(committed))
    return undefined
  })
  return { problems: ended, notes, tree }
}
