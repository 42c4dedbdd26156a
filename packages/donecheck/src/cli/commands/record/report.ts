/** `donecheck report RUN --html FILE`: a run as one page that needs nothing else. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { messageOf } from '@donecheck/engine/base'
import type { StoreFlags } from '../../options/flags.ts'
import type { CliIo } from '../../process/io.ts'
import { toUsageError } from '../../process/usage-error.ts'
import { findSummary } from '../../settings/find-run.ts'
import { withStore } from '../../settings/settings.ts'
import { explainRecord } from './explain.ts'

export interface ReportFlags extends StoreFlags {
  readonly html?: string
}

export async function reportCommand(
  wanted: string,
  { html, ...flags }: ReportFlags,
  io: CliIo,
): Promise<number> {
  return withStore(flags, io, async (store) => {
    const run = await findSummary(store, wanted)
    const [explanation, events, kept] = await Promise.all([
      explainRecord(run.runId, store),
      store.read(run.runId),
      store.attachmentsOf(run.runId),
    ])
    const attachments = Object.fromEntries(kept.map(({ digest, content }) => [digest, content]))
    const { reportPage } = await import('@donecheck/server')
    const page = reportPage({ run, explanation, events, attachments })
    const file = html ?? `donecheck-${run.runId}.html`
    await writeFile(resolve(io.currentFolder, file), page).catch(
      toUsageError((error) => `${file} cannot be written: ${messageOf(error)}`),
    )
    io.stdout.write(`wrote ${file}\n`)
    return 0
  })
}
