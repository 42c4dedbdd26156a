import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import type { CommandEvidence } from '@donecheck/core/internal/events/verdicts'
import type { VerifierResult } from '../../../../ports/checks.ts'
import {
  excerptOf,
  runningCheck,
  runProcess,
  showExcerpt,
  type ProcessEnd,
  type ProcessRequest,
  type ProcessResult,
} from '../../../../system/process/index.ts'
import { stateHome } from '../../../../base/index.ts'
import { askForReport, withoutReport, type ReportFormat, type ReportingLine } from './ask-for-report.ts'
import { goOutputOf } from './read/json.ts'
import type { Remains } from './take-report.ts'

export interface LineToRun extends Pick<ProcessRequest, 'environment' | 'timeoutMs' | 'signal'> {
  readonly line: string
  readonly folder: string
  readonly asks: boolean
  readonly onOutput?: (piece: string) => void
  /** Ends the line after the report, because failing tests may leave handles open. Default false. */
  readonly endsWithReport?: boolean
}

/** A line that has ended. The caller disposes of `asked`. */
export interface ReportingRun {
  readonly asked: ReportingLine
  readonly result: ProcessResult
  readonly remains: Remains
  readonly request: LineToRun
}

/** Bytes of each end of the output in the verdict. */
const endBytes = 8 * 1024
/** Bytes of a longer output, attached to the verdict. */
const attachedBytes = 4 * 1024 * 1024
/** Characters of a printed report. */
const maxPrintedLength = 64 * 1024 * 1024

/** Runs a line with a report if possible. Retries without if the runner rejects our option. */
export async function runAsked(run: LineToRun): Promise<ReportingRun> {
  if (!run.asks) return runOnce(run, withoutReport(run.line, undefined))
  const asked = await askForReport(run.line, run.folder, run.environment)
  const ran = await runOnce(run, asked)
  if (!isRefused(ran)) return ran
  await asked.dispose()
  return runOnce(run, withoutReport(run.line, asked.runner))
}

async function runOnce(run: LineToRun, asked: ReportingLine): Promise<ReportingRun> {
  const startedMs = Date.now()
  const printed = { stdout: '', stderr: '' }
  const check = runningCheck(stateHome({ environment: process.env, homeFolder: homedir() }))
  const reported = run.endsWithReport === true ? waitForReport(asked) : undefined
  const signals = reported === undefined ? [run.signal] : [run.signal, reported.signal]
  const running = runProcess({
    command: { shell: asked.line },
    folder: run.folder,
    environment: { ...run.environment, ...asked.variables },
    isCheck: true,
    timeoutMs: run.timeoutMs,
    signal: AbortSignal.any(signals),
    headBytes: endBytes,
    tailBytes: endBytes,
    keepBytes: attachedBytes,
    endsWithUs: true,
    onStarted: check.started,
    onOutput: (piece, stream) => {
      run.onOutput?.(piece)
      if (run.asks && printed[stream].length < maxPrintedLength) printed[stream] += piece
    },
  })
  const result = await running.finally(() => {
    reported?.stop()
    check.ended()
  })
  const shown = shownOutput(asked, result, printed)
  const exitCode = result.end.kind === 'exited' ? result.end.exitCode : -1
  const remains = {
    folder: await realpath(run.folder).catch(() => run.folder),
    exitCode,
    startedMs,
    stdout: printed.stdout,
    shown: shown.whole ?? shown.output.head,
  }
  return { asked, result: shown, remains, request: run }
}

/** Milliseconds a runner has to exit after writing its report. */
const exitingMs = 1_500
const writtenAtOnce = new Set<ReportFormat>(['jest-json', 'mocha-json'])

/** Aborts `signal` some time after an atomic report appears. */
function waitForReport({ place }: ReportingLine) {
  const written = new AbortController()
  const timer = setInterval(() => {
    if (place.kind !== 'file' || !writtenAtOnce.has(place.format)) return
    const stats = statSync(place.path, { throwIfNoEntry: false })
    if (stats !== undefined && stats.size > 0 && Date.now() - stats.mtimeMs > exitingMs) written.abort()
  }, 100)
  return { signal: written.signal, stop: () => clearInterval(timer) }
}

/** A runner that rejects the option quotes our path or variable. */
function isRefused({ asked, result, remains }: ReportingRun): boolean {
  if (asked.mark === undefined || result.end.kind !== 'exited' || result.end.exitCode === 0) return false
  return /not allowed in NODE_OPTIONS|unrecognized arguments?:.*--junitxml|[Uu]nknown (?:option|argument)|[Ii]nvalid reporter/.test(
    remains.shown,
  )
}

/** Removes our report from the output, unless it is truncated. */
function shownOutput(
  { place, mark, added }: ReportingLine,
  result: ProcessResult,
  printed: { readonly stdout: string; readonly stderr: string },
): ProcessResult {
  if (place.kind === 'printed') return withOutput(result, printed.stderr + goOutputOf(printed.stdout))
  const { whole, output } = result
  const isWhole = whole !== undefined && Buffer.byteLength(whole) === output.totalBytes
  if (mark === undefined || !isWhole || !whole.includes(mark)) return result
  const own = added === '' ? whole : whole.replaceAll(` ${added}`, '')
  const lines = own.split(/(?<=\n)/).filter((line) => !line.includes(mark))
  return withOutput(result, lines.join(''))
}

function withOutput(result: ProcessResult, text: string): ProcessResult {
  return { ...result, output: excerptOf(text, endBytes, endBytes), whole: text }
}

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

/** Donecheck ends a line with SIGTERM first. */
function signalOf(end: ProcessEnd): string | null {
  if (end.kind === 'signalled') return end.signal
  return end.kind === 'timed-out' || end.kind === 'aborted' ? 'SIGTERM' : null
}

/** Full output that the evidence truncates. */
export function attachmentsOf({ output, whole }: ProcessResult): Pick<VerifierResult, 'attachments'> {
  if (output.omittedBytes === 0 || whole === undefined) return {}
  const half = Math.ceil(attachedBytes / 2)
  const isTooLong = Buffer.byteLength(whole) > attachedBytes + maxNoticeLength
  const content = isTooLong ? showExcerpt(excerptOf(whole, half, half)) : whole
  return { attachments: [{ digest: output.digest, content }] }
}

const maxNoticeLength = 100

/** Hex SHA-256 of the sorted lines `NAME=value`. */
export function digestOfEnvironment(environment: Readonly<Record<string, string>>): string {
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}
