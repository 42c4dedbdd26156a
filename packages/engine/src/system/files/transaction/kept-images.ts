import { join } from 'node:path'
import { codeOf } from '../../../base/index.ts'
import { markJournal, type Journal } from './journal.ts'
import type { FileOperations } from './operations.ts'
import type { Transaction } from './transaction.ts'
import type { Strange } from './undo.ts'

/** A file that somebody else has changed since; it was left as they left it. */
export interface ForeignFile {
  readonly path: string
  readonly reason: string
  /** Files that hold what it was before the change, and what it was to become; absent where that was no file. */
  readonly before?: string
  readonly after?: string
}

/** Lays what foreign files were into files of their own, for a person, and settles the journal. */
export async function keepImages(
  journal: Journal,
  { files }: Transaction,
  strange: readonly Strange[],
  operations: FileOperations,
): Promise<readonly ForeignFile[]> {
  const foreign: ForeignFile[] = []
  for (const { file, reason } of strange) {
    const place = join(journal.folder, `file-${files.indexOf(file) + 1}`)
    const kept = { before: `${place}.before`, after: `${place}.after` }
    if (file.before !== null) await writeAgain(kept.before, file.before.bytes, operations)
    if (file.after !== null) await writeAgain(kept.after, file.after.bytes, operations)
    foreign.push({
      path: file.path,
      reason,
      ...(file.before === null ? {} : { before: kept.before }),
      ...(file.after === null ? {} : { after: kept.after }),
    })
  }
  await markJournal(journal, 'kept', operations)
  return foreign
}

async function writeAgain(path: string, bytes: Uint8Array, operations: FileOperations): Promise<void> {
  await operations.removeFile(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
  await operations.writeNew(path, { bytes, mode: 0o600 })
}
