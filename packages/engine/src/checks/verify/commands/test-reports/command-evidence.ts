import { createHash } from 'node:crypto'
import type { CommandEvidence } from '@donecheck/core/verdicts'
import type { VerifierReport } from '../../../../ports/checks.ts'
import {
  excerptOf,
  showExcerpt,
  type ProcessEnd,
  type ProcessResult,
} from '../../../../system/process/index.ts'
import { attachedBytes, type ReportingRun } from './run-asked.ts'

/** What a process that was started leaves to look at. */
export function evidenceOf({ request, result: { end, output } }: ReportingRun): readonly CommandEvidence[] {
  if (end.kind === 'not-started') return []
  return [
    {
      kind: 'command',
      command: request.line,
      folder: request.folder,
      exitCode: end.kind === 'exited' ? end.exitCode : null,
      signal: signalOf(end),
      timedOut: end.kind === 'timed-out',
      output,
      environmentDigest: digestOfEnvironment(request.environment),
    },
  ]
}

/** What we break off gets SIGTERM first. */
function signalOf(end: ProcessEnd): string | null {
  if (end.kind === 'signalled') return end.signal
  return end.kind === 'timed-out' || end.kind === 'aborted' ? 'SIGTERM' : null
}

/** The output of which the evidence shows only the ends. */
export function attachmentsOf({ output, whole }: ProcessResult): Pick<VerifierReport, 'attachments'> {
  if (output.omittedBytes === 0 || whole === undefined) return {}
  const half = Math.ceil(attachedBytes / 2)
  const isTooLong = Buffer.byteLength(whole) > attachedBytes + maxNoticeLength
  const content = isTooLong ? showExcerpt(excerptOf(whole, half, half)) : whole
  return { attachments: [{ digest: output.digest, content }] }
}

/** What says in the middle of a text how much of it is left out. */
const maxNoticeLength = 100

/** Changes with every process of ours, and nothing that is checked depends on it. */
const mark = 'DONECHECK_MARK'

/** SHA-256, hex, over the sorted lines `NAME=value`. */
export function digestOfEnvironment(environment: Readonly<Record<string, string>>): string {
  const lines = Object.entries(environment)
    .filter(([name]) => name !== mark)
    .map(([name, value]) => `${name}=${value}`)
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}
