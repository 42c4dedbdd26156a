import { rm, writeFile } from 'node:fs/promises'
import { messageOf } from '@donecheck/engine/base'
import { commitChanges, readOnlyProblem, type Committed } from '@donecheck/engine/files'
import { unifiedDiffOf, type ChangeSet, type PatchProblem, type Plan } from '@donecheck/engine/patch'
import { toUsageError } from '../process/failure.ts'

export type PatchEnd =
  | { readonly kind: 'refused'; readonly problems: readonly PatchProblem[] }
  | Exclude<Committed, { readonly kind: 'committed' }>
  | {
      readonly kind: 'would-change' | 'changed'
      readonly changes: ChangeSet
      readonly notes: readonly string[]
    }
  | { readonly kind: 'wrong-usage'; readonly problem: string }

interface PatchRequest {
  readonly root: string
  readonly isDryRun: boolean
  readonly receiptFile: string | undefined
}

/** Writes the receipt first and removes it if nothing changed. @throws {UsageError} if the receipt file exists */
export async function commitPlan(
  plan: Plan,
  { root, isDryRun, receiptFile }: PatchRequest,
): Promise<PatchEnd> {
  if (plan.kind === 'refused') return plan
  const { changes, notes } = plan
  const problems = changes.flatMap((change): PatchProblem[] => {
    const message = readOnlyProblem(change)
    return message === undefined ? [] : [{ kind: 'refused-file', message, path: change.path }]
  })
  if (problems.length > 0) return { kind: 'refused', problems }
  if (isDryRun) return { kind: 'would-change', changes, notes }
  if (receiptFile !== undefined) await writeReceipt(receiptFile, unifiedDiffOf(changes))
  const committed = await commitChanges(root, changes)
  if (committed.kind === 'committed') return { kind: 'changed', changes, notes }
  const isUnchanged = committed.kind === 'conflict' || committed.rolledBack
  if (receiptFile !== undefined && isUnchanged) await rm(receiptFile, { force: true })
  return committed
}

function writeReceipt(file: string, diff: string): Promise<void> {
  const describe = (error: unknown) =>
    `the receipt cannot be written to a new file ${file}: ${messageOf(error)}`
  return writeFile(file, diff, { flag: 'wx', flush: true }).catch(toUsageError(describe))
}
