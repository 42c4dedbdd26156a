import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import type { CommandEvidence } from '@donecheck/core/internal/events/verdicts'
import type { VerifierReport } from '../../../../ports/checks.ts'
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
  /** Ends the line soon after its report is written: failing tests may leave open what keeps a process alive. Default false. */
  readonly endsWithReport?: boolean
}

/** A line that has ended. Whoever asks for it disposes of `asked`. */
export interface ReportingRun {
  readonly asked: ReportingLine
  /** Its output is what the line prints by itself: words about our report are taken out. */
  readonly result: ProcessResult
  readonly remains: Remains
  readonly request: LineToRun
}

/** Of each end of the output, kept in the verdict. */
const endBytes = 8 * 1024
/** Of a longer output, kept beside the verdict. */
const attachedBytes = 4 * 1024 * 1024
/** A report that is printed is kept up to so many characters. */
const maxPrintedLength = 64 * 1024 * 1024

/** Runs a line so that it reports where it can. A runner that does not know what we ask for is run again unasked. */
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
    // Runners tell files by their real paths.
    folder: await realpath(run.folder).catch(() => run.folder),
    exitCode,
    startedMs,
    stdout: printed.stdout,
    shown: shown.whole ?? shown.output.head,
  }
  return { asked, result: shown, remains, request: run }
}

/** Milliseconds that a runner has to exit by itself once its report is written. */
const exitingMs = 1_500
const writtenAtOnce = new Set<ReportFormat>(['jest-json', 'mocha-json'])

/** Aborts `signal` when a report that is written in one piece has been there for a while. */
function waitForReport({ place }: ReportingLine) {
  const written = new AbortController()
  const timer = setInterval(() => {
    if (place.kind !== 'file' || !writtenAtOnce.has(place.format)) return
    const stats = statSync(place.path, { throwIfNoEntry: false })
    if (stats !== undefined && stats.size > 0 && Date.now() - stats.mtimeMs > exitingMs) written.abort()
  }, 100)
  return { signal: written.signal, stop: () => clearInterval(timer) }
}

/** A runner that does not know the option names it, with our path or our variable. */
function isRefused({ asked, result, remains }: ReportingRun): boolean {
  if (asked.mark === undefined || result.end.kind !== 'exited' || result.end.exitCode === 0) return false
  return /not allowed in NODE_OPTIONS|unrecognized arguments?:.*--junitxml|[Uu]nknown (?:option|argument)|[Ii]nvalid reporter/.test(
    remains.shown,
  )
}

/** What the line would have printed without being asked. Where it is too long to be whole, it stays as it is. */
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

/** SHA-256, hex, over the sorted lines `NAME=value`. */
export function digestOfEnvironment(environment: Readonly<Record<string, string>>): string {
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}
