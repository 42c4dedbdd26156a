import { dirname } from 'node:path'
import { codeOf, given } from '../../../base/index.ts'
import { linkProblemOf, readFileState } from './file-state.ts'
import type { FileOperations } from './operations.ts'
import { absoluteOf, stagedPath, type Transaction, type TransactionFile } from './transaction.ts'

/**
 * Brings every file to what it is afterwards: all images are beside their places before the first one is put in place, and
 * files are deleted last.
 * @param placed gets every file as soon as it may no longer be what it was
 * @throws where something fails, or somebody has put something in the way since it was checked
 */
export async function carryOut(
  transaction: Transaction,
  operations: FileOperations,
  placed: Set<TransactionFile>,
): Promise<void> {
  for (const folder of transaction.folders) await makeFolder(transaction, folder, operations)
  const written = transaction.files.filter(({ after }) => after !== null)
  await stageAll(transaction, written, operations)
  for (const file of written) {
    await assertUntouched(transaction, file)
    placed.add(file)
    await operations.rename(
      absoluteOf(transaction, stagedPath(transaction, file)),
      absoluteOf(transaction, file.path),
    )
  }
  for (const file of transaction.files.filter(({ after }) => after === null)) {
    await assertUntouched(transaction, file)
    placed.add(file)
    await operations.removeFile(absoluteOf(transaction, file.path))
  }
  await syncParents(transaction, operations)
}

/** Of the folders that still stand. */
export async function syncParents(transaction: Transaction, operations: FileOperations): Promise<void> {
  const parents = new Set([...transaction.files.map(({ path }) => path), ...transaction.folders].map(dirname))
  await allDone(
    [...parents].map((parent) =>
      operations.syncFolder(absoluteOf(transaction, parent)).catch((error: unknown) => {
        if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw error
      }),
    ),
  )
}

/** Nothing is under way any more afterwards. @throws the first error, if there is one */
async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/** Written at the same time, files are flushed to the disk together. Bounded, so that no more are open at once. */
const stagedAtOnce = 16

async function stageAll(
  transaction: Transaction,
  files: readonly TransactionFile[],
  operations: FileOperations,
): Promise<void> {
  for (let start = 0; start < files.length; start += stagedAtOnce)
    await allDone(
      files.slice(start, start + stagedAtOnce).map((file) => stage(transaction, file, operations)),
    )
}

async function makeFolder(
  transaction: Transaction,
  folder: string,
  operations: FileOperations,
): Promise<void> {
  await assertInPlace(transaction, folder)
  try {
    await operations.makeFolder(absoluteOf(transaction, folder), 0o777)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

async function stage(
  transaction: Transaction,
  file: TransactionFile,
  operations: FileOperations,
): Promise<void> {
  if (file.after === null) return
  const path = stagedPath(transaction, file)
  await assertInPlace(transaction, path)
  await operations.writeNew(absoluteOf(transaction, path), { ...file.after, ...given({ owner: file.owner }) })
}

async function assertInPlace(transaction: Transaction, path: string): Promise<void> {
  const moved = await linkProblemOf(transaction, path)
  if (moved !== undefined) throw new Error(moved)
}

async function assertUntouched(transaction: Transaction, file: TransactionFile): Promise<void> {
  const state = await readFileState(transaction, file)
  if (state.kind === 'before') return
  throw new Error(
    state.kind === 'foreign' ? `${state.reason} meanwhile` : `${file.path} has changed meanwhile`,
  )
}
