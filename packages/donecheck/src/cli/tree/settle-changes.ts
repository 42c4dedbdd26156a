import { existsSync } from 'node:fs'
import { defaultJournalFolder, recoverChanges } from '@donecheck/engine/files'
import type { CliIo } from '../process/io.ts'
import { recoveryLines } from '../output/patch-text.ts'

/** What a process that died has left half done in this folder is finished or taken back, and told, before anything looks at it. */
export async function settleChanges(workFolder: string, io: CliIo): Promise<void> {
  const journalFolder = defaultJournalFolder(io)
  // Most folders were never changed by us: nothing is to be looked for.
  if (!existsSync(journalFolder)) return
  const recoveries = await recoverChanges(workFolder, { journalFolder })
  for (const { text } of recoveries.flatMap(recoveryLines)) io.stderr.write(`donecheck: ${text}\n`)
}
