import { resolve } from 'node:path'
import { resolveLinks } from '../resolve-links.ts'
import { readFileState } from './file-state.ts'
import {
  abandonJournal,
  claimJournal,
  findJournals,
  markJournal,
  openJournal,
  removeJournal,
  type JournalOnDisk,
  type Journal,
} from './journal.ts'
import { keepImages, type ForeignFile } from './kept-images.ts'
import { diskOperations, type FileOperations } from './operations.ts'
import type { Transaction } from './transaction.ts'
import { hasStaged, undo, type Strange } from './undo.ts'
import { assertKnownKeys, messageOf, optionKeys } from '../../../base/index.ts'

export interface TransactionOptions {
  /** Where changes under way are noted: outside of the tree that is changed, the same for everybody who changes it. */
  readonly journalFolder: string
  /** Default: those of the disk. */
  readonly operations?: FileOperations
}

export const transactionKeys = optionKeys<TransactionOptions>()('journalFolder! operations')

/** A change that was broken off, and what has become of it. */
export interface Recovery {
  /**
   * `completed`: every file had been changed already. `rolled-back`: every file is what it was before. `discarded`: no file
   * had been touched. `failed`: it could not be settled and can be tried again. `left`: it may still be under way elsewhere.
   */
  readonly outcome: 'completed' | 'rolled-back' | 'discarded' | 'failed' | 'left'
  /** Relative to the root; empty where that is not known. */
  readonly files: readonly string[]
  /** Changed by somebody else since, and never overwritten; the other files were brought to one side all the same. */
  readonly foreign: readonly ForeignFile[]
  /** Of `failed` and `left`. */
  readonly problem?: string
}

/**
 * Settles every change of a folder that was broken off by the end of its process: it is kept where every file of it had
 * been changed, and taken back in any other case, since nobody was told that it was made. May be broken off itself and begun
 * again. What a living process is doing is left alone. Never rejects for what it finds.
 * @throws {UsageError} for an unknown option
 */
export async function recoverChanges(
  root: string,
  options: TransactionOptions,
): Promise<readonly Recovery[]> {
  assertKnownKeys(options, transactionKeys, 'recoverChanges')
  const resolved = await resolveLinks(resolve(root))
  if (resolved.kind === 'failed') return []
  return oneAtATime(resolved.path, () => settleAll(resolved.path, options))
}

const last = new Map<string, Promise<unknown>>()

/** Work of this process on one folder is done one after the other. */
export async function oneAtATime<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (last.get(folder) ?? Promise.resolve()).then(work, work)
  last.set(folder, turn)
  try {
    return await turn
  } finally {
    if (last.get(folder) === turn) last.delete(folder)
  }
}

/** The same within a turn of `oneAtATime`. @param root absolute, free of symlinks */
export async function settleAll(
  root: string,
  { journalFolder, operations = diskOperations }: TransactionOptions,
): Promise<readonly Recovery[]> {
  const recoveries: Recovery[] = []
  for (const found of findJournals(journalFolder, root)) {
    const recovery = await settleJournal(journalFolder, root, found, operations)
    if (recovery !== undefined) recoveries.push(recovery)
  }
  return recoveries
}

async function settleJournal(
  journalFolder: string,
  root: string,
  found: JournalOnDisk,
  operations: FileOperations,
): Promise<Recovery | undefined> {
  if (found.state === 'kept' || found.life === 'alive') return undefined
  if (found.life === 'unknown')
    return unsettledRecovery(
      'left',
      `it was begun on another machine or in another container: ${found.folder}`,
    )
  try {
    const journal = await claimJournal(journalFolder, root, found, operations)
    return journal === undefined ? undefined : await settle(journal, operations)
  } catch (error) {
    return unsettledRecovery('failed', `${found.folder}: ${messageOf(error)}`)
  } finally {
    abandonJournal(found)
  }
}

function unsettledRecovery(outcome: 'failed' | 'left', problem: string): Recovery {
  return { outcome, files: [], foreign: [], problem }
}

async function settle(journal: Journal, operations: FileOperations): Promise<Recovery | undefined> {
  if (journal.state === 'building' || journal.state === 'empty') {
    await removeJournal(journal, operations)
    return journal.state === 'empty' ? undefined : { outcome: 'discarded', files: [], foreign: [] }
  }
  const opened = openJournal(journal)
  if (opened.kind === 'unreadable') return unsettledRecovery('failed', `${journal.folder}: ${opened.problem}`)
  const { transaction } = opened
  const files = transaction.files.map(({ path }) => path)
  const { outcome, strange, journal: settled } = await bringToOneSide(journal, transaction, operations)
  if (strange.length > 0)
    return { outcome, files, foreign: await keepImages(settled, transaction, strange, operations) }
  await removeJournal(settled, operations)
  return { outcome, files, foreign: [] }
}

interface Sided {
  readonly outcome: 'completed' | 'rolled-back'
  readonly journal: Journal
  readonly strange: readonly Strange[]
}

async function bringToOneSide(
  journal: Journal,
  transaction: Transaction,
  operations: FileOperations,
): Promise<Sided> {
  if (journal.state === 'done') return { outcome: 'completed', journal, strange: [] }
  const strange = journal.state === 'prepared' ? await strangeOfWhole(transaction) : undefined
  if (strange !== undefined) return { outcome: 'completed', journal, strange }
  // Noted first: halfway back it must not look as if it had been completed.
  const undoing = journal.state === 'undoing' ? journal : await markJournal(journal, 'undoing', operations)
  return { outcome: 'rolled-back', journal: undoing, strange: await undo(transaction, operations) }
}

/** The files that somebody has changed since, where the change had been carried out as a whole; undefined where it had not. */
async function strangeOfWhole(transaction: Transaction): Promise<readonly Strange[] | undefined> {
  if (await hasStaged(transaction)) return undefined
  const strange: Strange[] = []
  for (const file of transaction.files) {
    const state = await readFileState(transaction, file)
    if (state.kind === 'before') return undefined
    if (state.kind === 'foreign') strange.push({ file, reason: state.reason })
  }
  return strange.length === transaction.files.length ? undefined : strange
}
