import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { donecheckVersion, messageOf } from '@donecheck/engine/base'
import type { RunState } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import { buildReceipt } from '@donecheck/engine/receipt'
import { junitReport, resultLine, type CheckedReport } from '@donecheck/engine/report'
import { readGitSubject } from '../../../tree/git-subject.ts'
import type { CliIo } from '../../../process/io.ts'
import { orUsageError } from '../../../process/failure.ts'
import type { Flags } from '../../../options/flags.ts'

export type ReportFlags = Flags<'junit' | 'receipt'>

export function checkedReport(state: RunState): CheckedReport {
  const { phase, settings } = state
  return {
    verdicts: resultLine(state).verdicts,
    verifiers: settings.verifiers,
    ...(phase.kind === 'stopped' ? { outcome: phase.transition.outcome } : {}),
    version: donecheckVersion,
  }
}

export async function writeCheckReports(
  state: RunState,
  events: readonly RunEvent[],
  flags: ReportFlags,
  io: CliIo,
): Promise<void> {
  const checked = checkedReport(state)
  writeReport(flags.junit, () => junitReport(checked), io)
  if (flags.receipt === undefined) return
  const git = await readGitSubject(state.workFolder, state.workspace.current)
  const versions = { packageVersion: donecheckVersion, nodeVersion: process.version }
  const receipt = buildReceipt({ events, ...versions, ...git })
  writeReport(flags.receipt, () => `${JSON.stringify(receipt, null, 2)}\n`, io)
}

export function writeReport(file: string | undefined, content: () => string, io: CliIo): void {
  if (file === undefined) return
  const text = content()
  orUsageError(
    () => writeFileSync(resolve(io.currentFolder, file), text),
    (error) => `${file} cannot be written: ${messageOf(error)}`,
  )
}
