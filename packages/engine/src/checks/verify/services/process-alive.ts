import { connect } from 'node:net'
import { z } from 'zod'
import { UsageError } from '../../../base/index.ts'
import type { Verifier, VerifierContext, VerifierResult } from '../../../ports/checks.ts'
import { programOfProcess, readProcess } from '../../../system/process/index.ts'
import { failedReport, passedReport, undecidedResult } from '../reports/reports.ts'
import { namedOptions, readOptions, verifierBy, type Ask } from '../reports/verifier-of.ts'
import { readFile, relativePath } from '../work-tree/files.ts'

const processAliveOptions = namedOptions.extend({
  /** File of the work folder with a process id. */
  pidFile: z.string().optional(),
  /** TCP port of this machine with a listener. */
  port: z.number().int().min(1).max(65_535).optional(),
})
export type ProcessAliveOptions = Readonly<z.infer<typeof processAliveOptions>>

/**
 * A process is alive, by pid file (`/proc`) or loopback port. No process, a zombie or an unreadable id:
 * `failed`. No `/proc` or no answer: `error`. Ids are reused, so prefer `httpStatus`.
 * @throws {UsageError} unless exactly one valid option is given
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

async function portReport(port: number, signal: AbortSignal): Promise<VerifierResult> {
  const answer = await isListening(port, signal)
  switch (answer.kind) {
    case 'listening':
      return passedReport(`something listens on ${answer.address}, port ${port}`)
    case 'nobody':
      return failedReport(`nothing listens on port ${port}`)
    case 'unknown':
      return undecidedResult(`port ${port} could not be tried: ${answer.problem}`, 'infrastructure')
  }
}

async function fileReport(
  path: string,
  { workFolder }: VerifierContext,
  signal: AbortSignal,
): Promise<VerifierResult> {
  if (readProcess('self') === undefined)
    return undecidedResult('this system has no /proc: what has ended cannot be told', 'infrastructure')
  if (workFolder === null) return undecidedResult(`${path} has no work folder to be in; give the run one`)
  const seen = await readFile(workFolder, path, signal)
  if (seen.kind === 'not-read') return seen.report
  const text = seen.value.toString('latin1').trim()
  const report = /^[1-9]\d{0,9}$/u.test(text)
    ? processReport(Number(text))
    : failedReport(`${path} holds no process id`)
  return { ...report, evidence: [...seen.evidence, ...report.evidence] }
}

function processReport(pid: number): VerifierResult {
  const found = readProcess(pid)
  if (found === undefined) return failedReport(`there is no process ${pid}`)
  const program = programOfProcess(found)
  const note = { kind: 'note', text: `process ${pid}, program: ${program}` } as const
  if (found.ended) return failedReport(`process ${pid} is a zombie: it has ended`, note)
  return passedReport(`process ${pid} is alive (${program})`, note)
}

type Listening =
  | { readonly kind: 'listening'; readonly address: string }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unknown'; readonly problem: string }

/** Connects, sends nothing, and closes. */
async function isListening(port: number, signal: AbortSignal): Promise<Listening> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((address) => tryAddress(address, port, signal)))
  const listening = answers.find(({ kind }) => kind === 'listening')
  return listening ?? answers.find(({ kind }) => kind === 'unknown') ?? { kind: 'nobody' }
}

/** Codes for addresses without a listener. */
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
