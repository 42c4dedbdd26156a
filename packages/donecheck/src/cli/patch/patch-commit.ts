import { rm, writeFile } from 'node:fs/promises'
import { messageOf } from '@donecheck/engine/base'
import {
  commitChanges,
  missingFolders,
  readOnlyProblem,
  removeEmptyFolders,
  type Committed,
} from '@donecheck/engine/files'
import {
  receiptOf,
  type Plan,
  type PatchProblem,
  type ReceiptPlan,
  type ChangeSet,
} from '@donecheck/engine/patch'
import { toUsageError } from '../process/usage-error.ts'

/** What has become of a patch. */
export type PatchEnd =
  | { readonly kind: 'refused'; readonly problems: readonly PatchProblem[] }
  | Exclude<Committed, { readonly kind: 'committed' }>
  | {
      readonly kind: 'would-change' | 'changed'
      readonly changes: ChangeSet
      readonly notes: readonly string[]
      /** Takes the change back. */
      readonly receipt: string
    }
  /** Nothing was begun; what was typed asks for something that there is not. */
  | { readonly kind: 'wrong-usage'; readonly problem: string }

export interface PatchRequest {
  readonly root: string
  readonly isDryRun: boolean
  /** Absolute; undefined: the receipt is only returned. */
  readonly receiptFile: string | undefined
}

/**
 * Makes a planned change, with just the modes that it names. The receipt stands before the first file is touched, and is gone
 * again where none was. Folders that the plan names are removed where they are empty in the end.
 * @throws {UsageError} for a receipt file that is there already or cannot be written
 */
export async function commitPlan(plan: Plan | ReceiptPlan, request: PatchRequest): Promise<PatchEnd> {
  const { root, isDryRun, receiptFile } = request
  if (plan.kind === 'refused') return plan
  const { changes } = plan
  const problems = changes.flatMap((change): PatchProblem[] => {
    const message = readOnlyProblem(change)
    return message === undefined ? [] : [{ kind: 'refused-file', message, path: change.path }]
  })
  if (problems.length > 0) return { kind: 'refused', problems }
  const receipt = receiptOf(changes, missingFolders(root, changes))
  const reported = { changes, notes: plan.notes, receipt }
  if (isDryRun) return { kind: 'would-change', ...reported }
  if (receiptFile !== undefined) await writeReceipt(receiptFile, reported.receipt)
  const forgetReceipt = () =>
    receiptFile === undefined ? Promise.resolve() : rm(receiptFile, { force: true })
  const committed = await commitChanges(root, changes).catch(async (error: unknown) => {
    await forgetReceipt()
    throw error
  })
  if (committed.kind === 'committed') {
    const removed = await removeEmptyFolders(root, 'madeFolders' in plan ? plan.madeFolders : [])
    const notes = removed.map(
      (folder) => `the folder ${folder}, made by the patch and empty now, was removed`,
    )
    return { kind: 'changed', ...reported, notes: [...plan.notes, ...notes] }
  }
  if (committed.kind === 'conflict' || committed.rolledBack) await forgetReceipt()
  return committed
}

function writeReceipt(file: string, receipt: string): Promise<void> {
  const words = (error: unknown) => `the receipt cannot be written to a new file ${file}: ${messageOf(error)}`
  return writeFile(file, receipt, { flag: 'wx', flush: true }).catch(toUsageError(words))
}
