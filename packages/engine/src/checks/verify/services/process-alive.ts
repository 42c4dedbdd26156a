import { statSync } from 'node:fs'
import { connect } from 'node:net'
import type { Evidence, Verdict } from '@donecheck/core/verdicts'
import { z } from 'zod'
import { UsageError } from '../../../base/index.ts'
import type { Verifier, VerifierContext, VerifierReport } from '../../../ports/checks.ts'
import {
  isThread,
  programOfProcess,
  readProcess,
  systemTicks,
  ticksPerSecond,
} from '../../../system/process/index.ts'
import { failedReport, passedReport, undecidedReport } from '../reports/reports.ts'
import { namedOptions, readOptions, verifierBy, type Ask } from '../reports/verifier-of.ts'
import { readFile, relativePath } from '../work-tree/files.ts'

/** One of the two says which process. */
const processAliveOptions = namedOptions.extend({
  /** A file of the work folder that holds a process id. */
  pidFile: z.string().optional(),
  /** Something listens on this TCP port of this machine. */
  port: z.number().int().min(1).max(65_535).optional(),
})
export type ProcessAliveOptions = Readonly<z.infer<typeof processAliveOptions>>

/**
 * A process is alive: it is there and no zombie. Reads `/proc`; for a port it connects, on the loopback addresses.
 *
 * Ids are used again, so an id alone proves nothing: the process of `pidFile` must be the one that was there under
 * that id when the run began, or must have started since; and no later than its file was written. A drive can still start
 * any process and write down its id: ask what the process does, with `httpStatus`.
 *
 * No such process, a zombie, another process, an unreadable id: `failed`. Without `/proc`, and without an answer within
 * `timeoutMs` (milliseconds): `error` with `infrastructure`. Never remembered.
 * @throws {UsageError} for a port or file that is none, and unless exactly one of them is given
 */
export function processAlive(given: ProcessAliveOptions): Verifier {
  const options = readOptions(processAliveOptions, given, 'processAlive')
  const { port } = options
  if ((port === undefined) === (options.pidFile === undefined))
    throw new UsageError('processAlive asks one thing; give one of pidFile and port')
  const pidFile = relativePath(options.pidFile ?? 'none')
  const ask: Ask = (context, signal) =>
    port === undefined ? fileReport(pidFile, context, signal) : portReport(port, signal)
  const name = options.name ?? `alive: ${port === undefined ? pidFile : `port ${port}`}`
  return verifierBy(name, ask, options)
}

async function portReport(port: number, signal: AbortSignal): Promise<VerifierReport> {
  const answer = await isListening(port, signal)
  switch (answer.kind) {
    case 'listening':
      return passedReport(`something listens on ${answer.address}, port ${port}`)
    case 'nobody':
      return failedReport(`nothing listens on port ${port}`)
    case 'unknown':
      return undecidedReport(`port ${port} could not be tried: ${answer.problem}`, 'infrastructure')
  }
}

async function fileReport(
  path: string,
  context: VerifierContext,
  signal: AbortSignal,
): Promise<VerifierReport> {
  const { workFolder, trigger } = context
  const nowTicks = systemTicks()
  if (nowTicks === undefined)
    return undecidedReport(
      'this system has no /proc: ids cannot be told from ids used again',
      'infrastructure',
    )
  if (workFolder === null) return undecidedReport(`${path} has no work folder to be in; give the run one`)
  const began: readonly Evidence[] =
    trigger === 'baseline' ? [{ kind: 'note', text: `${beganWords}${nowTicks}` }] : []
  const seen = await readFile(workFolder, path, signal)
  if (seen.kind === 'not-seen') return { ...seen.report, evidence: [...began, ...seen.report.evidence] }
  const text = seen.bytes.toString('latin1').trim()
  const pid = Number(text)
  const report =
    !/^\d{1,10}$/u.test(text) || pid < 1
      ? failedReport(`${path} holds no process id`)
      : processReport(pid, `${workFolder}/${path}`, context)
  return { ...report, evidence: [...began, seen.evidence, ...report.evidence] }
}

function processReport(pid: number, pidFile: string, context: VerifierContext): VerifierReport {
  const seen = processNow(pid, pidFile)
  if (seen === undefined) return failedReport(`there is no process ${pid}`)
  const evidence = evidenceOf(seen)
  if (seen.isZombie) return failedReport(`process ${pid} is a zombie: it has ended`, ...evidence)
  if (seen.isYoungerThanFile)
    return failedReport(
      `process ${pid} started after its id was written down: it is another one`,
      ...evidence,
    )
  if (context.trigger === 'baseline' || context.baseline === undefined)
    return passedReport(`process ${pid} is alive (${seen.program})`, ...evidence)
  const began = startTicksOf(context.baseline)
  if (began === undefined) return undecidedReport('it was not recorded when the run began', 'infrastructure')
  if (seen.startTicks >= began || notesOf(context.baseline).includes(identityOf(seen)))
    return passedReport(`process ${pid} is alive (${seen.program})`, ...evidence)
  return failedReport(
    `process ${pid} (${seen.program}) ran before the run began, and was not meant then`,
    ...evidence,
  )
}

const beganWords = 'the run began at tick '

function evidenceOf(seen: SeenProcess): readonly Evidence[] {
  return [
    { kind: 'note', text: identityOf(seen) },
    { kind: 'note', text: `program: ${seen.program}` },
  ]
}

function identityOf({ pid, startTicks }: SeenProcess): string {
  return `process ${pid}, started at tick ${startTicks}`
}

function startTicksOf(baseline: Verdict): number | undefined {
  const text = notesOf(baseline).find((note) => note.startsWith(beganWords))
  const ticks = Number(text?.slice(beganWords.length))
  return Number.isInteger(ticks) ? ticks : undefined
}

function notesOf({ evidence }: Verdict): readonly string[] {
  return evidence.flatMap((one) => (one.kind === 'note' ? [one.text] : []))
}

interface SeenProcess {
  readonly pid: number
  /** When it started. With the id it is the name of a process that is never used again until the next start of the machine. */
  readonly startTicks: number
  /** It has ended, and its parent has not asked for its end yet. */
  readonly isZombie: boolean
  /** File name of its program, where we may see it: a process can call itself anything. */
  readonly program: string
  /** It started after the file with its id was written. */
  readonly isYoungerThanFile: boolean
}

/** A clock that is set, and times that are rounded. */
const toleranceTicks = 2 * ticksPerSecond

/** Undefined: there is no such process. @param pidFile where its id was written down */
function processNow(pid: number, pidFile: string): SeenProcess | undefined {
  const stat = readProcess(pid)
  if (stat === undefined || isThread(pid)) return undefined
  const { startTicks, ended } = stat
  const writtenTicks = readTicks(pidFile)
  const isYoungerThanFile = writtenTicks !== undefined && startTicks > writtenTicks + toleranceTicks
  return { pid, startTicks, isZombie: ended, program: programOfProcess(stat), isYoungerThanFile }
}

/** When a file was written last, on the kernel's scale. */
function readTicks(file: string): number | undefined {
  const [now, stats] = [systemTicks(), statSync(file, { throwIfNoEntry: false })]
  if (now === undefined || stats === undefined) return undefined
  return now - ((Date.now() - stats.mtimeMs) / 1000) * ticksPerSecond
}

type Listening =
  | { readonly kind: 'listening'; readonly address: string }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unknown'; readonly problem: string }

/** Nothing was asked of whoever takes the connection; it is closed at once. */
async function isListening(port: number, signal: AbortSignal): Promise<Listening> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((address) => tryAddress(address, port, signal)))
  const listening = answers.find(({ kind }) => kind === 'listening')
  return listening ?? answers.find(({ kind }) => kind === 'unknown') ?? { kind: 'nobody' }
}

/** Nobody can listen on an address that this machine does not have. */
const nobodyCodes = ['ECONNREFUSED', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH']

function tryAddress(address: string, port: number, signal: AbortSignal): Promise<Listening> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, signal })
    socket.once('connect', () => {
      resolve({ kind: 'listening', address })
      socket.destroy()
    })
    socket.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : ''
      resolve(nobodyCodes.includes(code) ? { kind: 'nobody' } : { kind: 'unknown', problem: error.message })
    })
  })
}
