import { UsageError, assertKnownKeys, type OptionKeys } from '../../../base/index.ts'
import type { Evidence, Verdict } from '@donecheck/core/verdicts'
import type { RequestedProcess, Verifier, VerifierContext, VerifierReport } from '../../../ports/checks.ts'
import { verifierBy, type UserVerifier, type NamedOptions, namedKeys } from '../reports/verifier-of.ts'
import { systemTicks } from '../../../system/process/index.ts'
import { readFile } from '../work-tree/files/read-file.ts'
import { relativePath } from '../work-tree/files/relative-path.ts'
import { isListening, processNow, processesNamed, type SeenProcess } from './process/seen-process.ts'
import { showValue, failedReport, passedReport, undecidedReport } from '../reports/reports.ts'

export type ProcessAliveOptions = NamedOptions & RequestedProcess

/** One of the four says which process; `targetOf` sees to it. */
type ProcessAliveKeys = NamedOptions & Partial<Record<'pidFile' | 'pid' | 'port' | 'processName', unknown>>

const processAliveKeys: OptionKeys<ProcessAliveKeys> = {
  ...namedKeys,
  pidFile: true,
  pid: true,
  port: true,
  processName: true,
}

/**
 * A process is alive: it is there and no zombie. Reads `/proc`; for a port it connects, on the loopback addresses.
 *
 * Ids are used again, so an id alone proves nothing: the process of `pidFile` or `pid` must be the one that was there under
 * that id when the run began, or must have started since; and no later than its file was written. A drive can still start
 * any process and write down its id: ask what the process does, with `httpStatus`.
 *
 * No such process, a zombie, another process, an unreadable id: `failed`. Without `/proc`, and without an answer within
 * `timeoutMs` (milliseconds): `error` with `infrastructure`. Never remembered.
 * @throws {UsageError} for an id, port, name or file that is none
 */
export function processAlive(options: ProcessAliveOptions): Verifier {
  assertKnownKeys<ProcessAliveKeys>(options, processAliveKeys, 'processAlive')
  const target = targetOf(options)
  const name = options.name ?? `alive: ${showTarget(target)}`
  const ask: UserVerifier = async (context, signal) => {
    if ('port' in target) return portReport(target.port, signal)
    const nowTicks = systemTicks()
    if (nowTicks === undefined)
      return undecidedReport(
        'this system has no /proc: ids cannot be told from ids used again',
        'infrastructure',
      )
    if ('processName' in target) return namedReport(target.processName)
    const report = await idReport(target, context, signal)
    if (context.trigger !== 'baseline') return report
    return { ...report, evidence: [{ kind: 'note', text: `${beganWords}${nowTicks}` }, ...report.evidence] }
  }
  return { ...verifierBy(name, ask, options), asks: [target] }
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

function namedReport(processName: string): VerifierReport {
  const found = processesNamed(processName)
  const [alive] = found.filter(({ isZombie }) => !isZombie)
  if (alive !== undefined) return passedReport(`${processName} is alive`, ...evidenceOf(alive))
  const why = found.length > 0 ? 'is a zombie: it has ended' : 'does not run'
  return failedReport(`${processName} ${why}`)
}

async function idReport(
  target: { readonly pidFile: string } | { readonly pid: number },
  context: VerifierContext,
  signal: AbortSignal,
): Promise<VerifierReport> {
  if ('pid' in target) return processReport(target.pid, undefined, context)
  const { workFolder } = context
  if (workFolder === null)
    return undecidedReport(`${target.pidFile} has no work folder to be in; give the run one`)
  const seen = await readFile(workFolder, target.pidFile, signal)
  if (seen.kind === 'not-seen') return seen.report
  const text = seen.bytes.toString('latin1').trim()
  const pid = Number(text)
  if (!/^\d{1,10}$/u.test(text) || pid < 1)
    return failedReport(`${target.pidFile} holds no process id`, seen.evidence)
  const report = processReport(pid, `${workFolder}/${target.pidFile}`, context)
  return { ...report, evidence: [seen.evidence, ...report.evidence] }
}

function processReport(pid: number, pidFile: string | undefined, context: VerifierContext): VerifierReport {
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

/** @throws {UsageError} */
function targetOf(options: ProcessAliveOptions): RequestedProcess {
  const given = ['pidFile', 'pid', 'port', 'processName'].filter((key) => key in options)
  if (given.length !== 1)
    throw new UsageError(
      `processAlive is given ${given.length === 0 ? 'nothing' : given.join(' and ')}; give one of pidFile, pid, port and processName`,
    )
  if ('pidFile' in options) return { pidFile: relativePath(options.pidFile) }
  if ('pid' in options) return { pid: numberOf('pid', options.pid, 2 ** 31 - 1) }
  if ('port' in options) return { port: numberOf('port', options.port, 65_535) }
  const { processName } = options
  if (typeof processName !== 'string' || processName.trim() === '' || processName.includes('/'))
    throw new UsageError(`processName is ${showValue(processName)}; give a file name such as "postgres"`)
  return { processName }
}

function numberOf(option: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new UsageError(`${option} is ${value}; give a whole number from 1 to ${most}`)
}

function showTarget(target: RequestedProcess): string {
  if ('pidFile' in target) return target.pidFile
  if ('pid' in target) return `process ${target.pid}`
  return 'port' in target ? `port ${target.port}` : target.processName
}
