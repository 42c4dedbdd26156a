/** `donecheck receipt <run>`: what was checked, on which tree, with what result. */
import { donecheckVersion } from '@donecheck/engine/base'
import { fold } from '@donecheck/core/state'
import { buildReceipt } from '@donecheck/engine/receipt'
import { reportFailure } from '../../../process/failure.ts'
import { findSummary } from '../../../settings/find-run.ts'
import { readGitSubject } from '../../../tree/git-subject.ts'
import type { CliIo } from '../../../process/io.ts'
import { withStore } from '../../../settings/open-store.ts'
import type { StoreFlags } from '../../../options/flags.ts'
import { writeOutput } from './write-output.ts'

export interface ReceiptFlags extends StoreFlags {
  readonly output?: string
}

export async function receiptCommand(wanted: string, flags: ReceiptFlags, io: CliIo): Promise<number> {
  try {
    const { events, imported } = await withStore(flags, io, async (store) => {
      const summary = await findSummary(store, wanted)
      return { events: await store.read(summary.runId), imported: summary.imported }
    })
    const state = fold(events)
    const git = await readGitSubject(state?.workFolder ?? null, state?.workspace.current)
    const receipt = buildReceipt({
      ...git,
      events,
      packageVersion: donecheckVersion,
      nodeVersion: process.version,
      ...(imported === undefined ? {} : { imported }),
    })
    writeOutput(receipt, flags.output, io)
    return 0
  } catch (error) {
    return reportFailure(error, false, io)
  }
}
