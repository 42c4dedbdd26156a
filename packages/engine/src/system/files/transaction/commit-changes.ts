import { isAbsolute, relative, resolve, sep } from 'node:path'
import { UsageError, assertKnownKeys, messageOf } from '../../../base/index.ts'
import type { ChangeSet } from '../../../analysis/patch/index.ts'
import { resolveLinks } from '../resolve-links.ts'
import { carryOut } from './carry-out.ts'
import { checkChanges } from './check-changes.ts'
import {
  abandonJournal,
  beginJournal,
  markJournal,
  removeJournal,
  type Journal,
  findJournals,
  openJournal,
} from './journal.ts'
import { keepImages } from './kept-images.ts'
import { diskOperations, type FileOperations } from './operations.ts'
import { oneAtATime, settleAll, type TransactionOptions, transactionKeys } from './recover-changes.ts'
import type { Transaction, TransactionFile } from './transaction.ts'
import { undo } from './undo.ts'

export type Committed =
  | { readonly kind: 'committed' }
  /** A file is not (any more) what the change starts from. Nothing was written. */
  | { readonly kind: 'conflict'; readonly path: string; readonly reason: string }
  | {
      readonly kind: 'failed'
      readonly problem: string
      /** False: the tree is in between. The next change of it, and `recoverChanges`, try again. */
      readonly rolledBack: boolean
    }

/**
 * Changes many files, all or none: whatever happens, the end of this process included, every file is what it was before or
 * what it is afterwards once `recoverChanges` has looked at the folder. Written files are replaced, never written into: hard
 * links to them keep the old content. Created folders that a taken-back change leaves empty are removed again.
 *
 * First settles what an earlier process has left behind. Changes of one folder by one process are made one after the other;
 * of two processes that change the same file at once, at least one gets a `conflict`.
 * @throws {UsageError} for a journal folder within the root
 */
export async function commitChanges(
  root: string,
  changes: ChangeSet,
  options: TransactionOptions,
): Promise<Committed> {
  assertKnownKeys(options, transactionKeys, 'commitChanges')
  const [resolved, journals] = [
    await resolveLinks(resolve(root)),
    await resolveLinks(resolve(options.journalFolder)),
  ]
  if (resolved.kind === 'failed') return refusedCommit(`the folder cannot be entered: ${resolved.problem}`)
  if (journals.kind === 'failed')
    return refusedCommit(`the journal folder cannot be entered: ${journals.problem}`)
  if (isInside(journals.path, resolved.path))
    throw new UsageError(
      `the journal folder ${journals.path} is inside of ${resolved.path}, where it could be changed with it; name a place outside`,
    )
  return oneAtATime(resolved.path, () =>
    commit(resolved.path, changes, { operations: diskOperations, ...options, journalFolder: journals.path }),
  )
}

function refusedCommit(problem: string): Committed {
  return { kind: 'failed', problem, rolledBack: true }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

async function commit(
  root: string,
  changes: ChangeSet,
  options: Required<TransactionOptions>,
): Promise<Committed> {
  const stuck = (await settleAll(root, options)).find(({ outcome }) => outcome === 'failed')
  if (stuck !== undefined)
    return refusedCommit(`an earlier change could not be settled: ${stuck.problem ?? ''}`)
  const checked = await checkChanges(root, changes)
  if (checked.kind === 'failed') return refusedCommit(checked.problem)
  if (checked.kind === 'conflict') return checked
  const { transaction } = checked
  if (transaction.files.length === 0) return { kind: 'committed' }
  return commitWithJournal(transaction, options)
}

async function commitWithJournal(
  transaction: Transaction,
  { journalFolder, operations }: Required<TransactionOptions>,
): Promise<Committed> {
  let journal: Journal
  try {
    journal = await beginJournal(journalFolder, transaction, operations)
  } catch (error) {
    return refusedCommit(`the change cannot be noted before it is made: ${messageOf(error)}`)
  }
  try {
    const rival = findConcurrentWriter(journalFolder, transaction)
    if (rival === undefined) return await carriedOut(journal, transaction, operations)
    await removeJournal(journal, operations).catch(() => undefined)
    return { kind: 'conflict', path: rival, reason: `${rival} is being changed by another process` }
  } finally {
    abandonJournal(journal)
  }
}

async function carriedOut(
  journal: Journal,
  transaction: Transaction,
  operations: FileOperations,
): Promise<Committed> {
  const placed = new Set<TransactionFile>()
  let done: Journal
  try {
    await carryOut(transaction, operations, placed)
    done = await markJournal(journal, 'done', operations)
  } catch (error) {
    return takenBack(journal, transaction, placed, messageOf(error), operations)
  }
  // It is made; what is left of its journal is cleared away by the next look.
  await removeJournal(done, operations).catch(() => undefined)
  return { kind: 'committed' }
}

async function takenBack(
  journal: Journal,
  transaction: Transaction,
  placed: ReadonlySet<TransactionFile>,
  problem: string,
  operations: FileOperations,
): Promise<Committed> {
  try {
    const undoing = await markJournal(journal, 'undoing', operations)
    const strange = (await undo(transaction, operations)).filter(({ file }) => placed.has(file))
    if (strange.length === 0) {
      await removeJournal(undoing, operations).catch(() => undefined)
      return { kind: 'failed', problem, rolledBack: true }
    }
    const kept = await keepImages(undoing, transaction, strange, operations)
    const reported = kept.map(({ path, before }) =>
      before === undefined ? path : `${path} (before: ${before})`,
    )
    return {
      kind: 'failed',
      problem: `${problem}; changed by somebody else meanwhile: ${reported.join(', ')}`,
      rolledBack: false,
    }
  } catch (error) {
    return { kind: 'failed', problem: `${problem}; taking it back: ${messageOf(error)}`, rolledBack: false }
  }
}

/**
 * A file of the transaction that another process is changing right now. Asked after one's own journal stands: of two that
 * begin at once at least one sees the other.
 */
function findConcurrentWriter(journalFolder: string, { id, root, files }: Transaction): string | undefined {
  for (const other of findJournals(journalFolder, root)) {
    const isUnderWay = other.life !== 'dead' && (other.state === 'prepared' || other.state === 'undoing')
    if (other.id === id || !isUnderWay) continue
    const opened = openJournal(other)
    if (opened.kind === 'unreadable') continue
    const theirs = new Set(opened.transaction.files.map(({ path }) => path))
    const shared = files.find(({ path }) => theirs.has(path))
    if (shared !== undefined) return shared.path
  }
  return undefined
}
