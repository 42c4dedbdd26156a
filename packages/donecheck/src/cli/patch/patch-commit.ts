import { rm, writeFile } from 'node:fs/promises'
import { UsageError } from '@donecheck/engine/base'
import {
  commitChanges,
  missingFolders,
  readOnlyProblem,
  removeEmptyFolders,
  type Recovery,
} from '@donecheck/engine/files'
import { receiptOf, type Plan, type PatchProblem, type ReceiptPlan } from '@donecheck/engine/patch'
import type { PatchEnd } from './patch-end.ts'

export interface PatchRequest {
  readonly root: string
  readonly journalFolder: string
  readonly isDryRun: boolean
  readonly recoveries: readonly Recovery[]
  /** Absolute; undefined: the receipt is only returned. */
  readonly receiptFile: string | undefined
}

/**
 * Makes a planned change, with just the modes that it names. The receipt stands before the first file is touched, and is gone
 * again where none was. Folders that the plan names are removed where they are empty in the end.
 * @throws {UsageError} for a receipt file that is there already or cannot be written
 */
export async function commitPlan(plan: Plan | ReceiptPlan, request: PatchRequest): Promise<PatchEnd> {
  const { root, journalFolder, isDryRun, recoveries, receiptFile } = request
  if (plan.kind === 'refused') return { ...plan, recoveries }
  const { changes } = plan
  const problems = changes.flatMap((change): PatchProblem[] => {
    const message = readOnlyProblem(change)
    return message === undefined ? [] : [{ kind: 'refused-file', message, path: change.path }]
  })
  if (problems.length > 0) return { kind: 'refused', problems, recoveries }
  const receipt = receiptOf(changes, missingFolders(root, changes))
  const reported = { changes, notes: plan.notes, receipt, recoveries }
  if (isDryRun) return { kind: 'would-change', ...reported }
  if (receiptFile !== undefined) await writeReceipt(receiptFile, reported.receipt)
  const forgetReceipt = () =>
    receiptFile === undefined ? Promise.resolve() : rm(receiptFile, { force: true })
  const committed = await commitChanges(root, changes, { journalFolder }).catch(async (error: unknown) => {
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
  return { ...committed, recoveries }
}

async function writeReceipt(file: string, receipt: string): Promise<void> {
  try {
    await writeFile(file, receipt, { flag: 'wx', flush: true })
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new UsageError(`the receipt cannot be written to a new file ${file}: ${problem}`, { cause: error })
  }
}
