/** What a journal holds: enough to bring every file to either side. */
import { dirname, join } from 'node:path'
import type { ChangedFile } from '../../../analysis/patch/index.ts'
import type { FileOwner } from './operations.ts'

export interface Transaction {
  /** Part of the names of all its temporary files. */
  readonly id: string
  /** Absolute, free of symlinks. */
  readonly root: string
  /** Folders that were not there before, relative to the root, those above first. */
  readonly folders: readonly string[]
  /** Those that are deleted last. */
  readonly files: readonly TransactionFile[]
}

export interface TransactionFile extends Pick<ChangedFile, 'path' | 'before' | 'after'> {
  /** Of the file that was there, or of the one that was moved here. */
  readonly owner?: FileOwner
}

export function absoluteOf({ root }: Transaction, path: string): string {
  return join(root, path)
}

/** Every folder above a path, those above first, without the root. */
export function parentsOf(path: string): readonly string[] {
  const parent = dirname(path)
  return parent === '.' ? [] : [...parentsOf(parent), parent]
}

/** Beside the file, relative to the root: the image that will take its place. */
export function stagedPath(transaction: Transaction, file: TransactionFile): string {
  return temporaryPath(transaction, file, 'tmp')
}

/** The same for the image that goes back into its place. */
export function restoredPath(transaction: Transaction, file: TransactionFile): string {
  return temporaryPath(transaction, file, 'old.tmp')
}

function temporaryPath({ id, files }: Transaction, file: TransactionFile, ending: string): string {
  return join(dirname(file.path), `.donecheck-${id}-${files.indexOf(file)}.${ending}`)
}
