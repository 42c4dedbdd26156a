import { lstatSync } from 'node:fs'
import { syncParents } from './carry-out.ts'
import { codeOf, given } from '../../../base/index.ts'
import { linkProblemOf, readFileState } from './file-state.ts'
import type { FileOperations } from './operations.ts'
import {
  absoluteOf,
  parentsOf,
  restoredPath,
  stagedPath,
  type Transaction,
  type TransactionFile,
} from './transaction.ts'

/** A file that is on neither side of its change any more, and was left as it is. */
export interface Strange {
  readonly file: TransactionFile
  readonly reason: string
}

/**
 * Brings every file back to what it was before. What somebody else has changed since is left alone. May be broken off and
 * begun again at any point.
 * @returns the files that were left alone
 * @throws the system's error; then it can be tried again
 */
export async function undo(
  transaction: Transaction,
  operations: FileOperations,
): Promise<readonly Strange[]> {
  // First, so that there is room for what is put back.
  await removeTemporaries(transaction, operations)
  const strange: Strange[] = []
  for (const file of transaction.files.toReversed()) {
    const state = await readFileState(transaction, file)
    if (state.kind === 'foreign') strange.push({ file, reason: state.reason })
    if (state.kind === 'after') await putBack(transaction, file, operations)
  }
  for (const folder of transaction.folders.toReversed()) await removeIfEmpty(transaction, folder, operations)
  await syncParents(transaction, operations)
  return strange.toReversed()
}

/** Of either direction, wherever they still stand. */
export async function removeTemporaries(transaction: Transaction, operations: FileOperations): Promise<void> {
  for (const path of await findTemporaries(transaction)) await operations.removeFile(path)
}

/** Whether an image has not been put in its place yet. */
export async function hasStaged(transaction: Transaction): Promise<boolean> {
  const staged = await Promise.all(
    transaction.files.map((file) => isThere(transaction, stagedPath(transaction, file))),
  )
  return staged.includes(true)
}

async function findTemporaries(transaction: Transaction): Promise<readonly string[]> {
  const paths = transaction.files.flatMap((file) => [
    stagedPath(transaction, file),
    restoredPath(transaction, file),
  ])
  const there = await Promise.all(paths.map((path) => isThere(transaction, path)))
  return paths.filter((_, index) => there[index]).map((path) => absoluteOf(transaction, path))
}

/** What lies behind a symlink was not written by us. */
async function isThere(transaction: Transaction, path: string): Promise<boolean> {
  return exists(absoluteOf(transaction, path)) && (await linkProblemOf(transaction, path)) === undefined
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

async function putBack(
  transaction: Transaction,
  file: TransactionFile,
  operations: FileOperations,
): Promise<void> {
  const place = absoluteOf(transaction, file.path)
  if (file.before === null) return operations.removeFile(place)
  for (const folder of parentsOf(file.path))
    if (!(await isThere(transaction, folder)))
      await operations.makeFolder(absoluteOf(transaction, folder), 0o777)
  const restored = absoluteOf(transaction, restoredPath(transaction, file))
  await operations.writeNew(restored, { ...file.before, ...given({ owner: file.owner }) })
  await operations.rename(restored, place)
}

async function removeIfEmpty(
  transaction: Transaction,
  folder: string,
  operations: FileOperations,
): Promise<void> {
  if (!(await isThere(transaction, folder))) return
  try {
    await operations.removeFolder(absoluteOf(transaction, folder))
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw error
  }
}
