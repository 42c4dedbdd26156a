import { findJournals, openJournal } from './journal.ts'
import type { Transaction } from './transaction.ts'

/**
 * A file of the transaction that another process is changing right now. Asked after one's own journal stands: of two that
 * begin at once at least one sees the other.
 */
export async function rivalOf(
  journalFolder: string,
  { id, root, files }: Transaction,
): Promise<string | undefined> {
  for (const other of await findJournals(journalFolder, root)) {
    const isUnderWay = other.life !== 'dead' && (other.state === 'prepared' || other.state === 'undoing')
    if (other.id === id || !isUnderWay) continue
    const opened = await openJournal(other)
    if (opened.kind === 'unreadable') continue
    const theirs = new Set(opened.transaction.files.map(({ path }) => path))
    const shared = files.find(({ path }) => theirs.has(path))
    if (shared !== undefined) return shared.path
  }
  return undefined
}
