import { setTimeout as pause } from 'node:timers/promises'
import { UsageError, assertKnownKeys, type OptionKeys, given } from '../../../../base/index.ts'
import type { Evidence } from '@donecheck/core/verdicts'
import type { RequestedProcess, Verifier, VerifierReport } from '../../../../ports/checks.ts'
import { excerptOf, showExcerpt } from '../../../../system/process/index.ts'
import {
  timeoutOf,
  verifierBy,
  type UserVerifier,
  type NamedOptions,
  namedKeys,
} from '../../reports/verifier-of.ts'
import {
  showValue,
  failedReport,
  passedReport,
  interruptedReport,
  undecidedReport,
} from '../../reports/reports.ts'
import { askServer, type ServerAnswer, type ServerRequest } from './ask-server.ts'
import { bodyCheck, type BodyCheck, type WantedBody } from './wanted-body.ts'
import { isWanted, statusMatcher, type StatusMatcher, type WantedStatus } from './wanted-status.ts'

export interface HttpStatusOptions extends NamedOptions, WantedBody {
  /** `http:` or `https:`. */
  readonly url: string
  /** Default 200. */
  readonly status?: WantedStatus
  /** Default GET. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent with the request. */
  readonly body?: string
  /** Milliseconds. Asked again for so long, until it answers as wanted. Default 0: asked once. */
  readonly readyWithinMs?: number
  /** Milliseconds between two tries. Default 250. */
  readonly intervalMs?: number
  /** Milliseconds of one try. Default 10 000. */
  readonly requestTimeoutMs?: number
  /** `answer` (default): a redirect is the answer. `follow`: up to 20 of them are followed. */
  readonly redirects?: 'follow' | 'answer'
  /** Bytes. Of a longer body nothing is believed: `error`. Default 1 MiB. */
  readonly maxBodyBytes?: number
}

const httpStatusKeys: OptionKeys<HttpStatusOptions> = {
  ...namedKeys,
  url: 'needed',
  status: true,
  method: true,
  headers: true,
  body: true,
  readyWithinMs: true,
  intervalMs: true,
  requestTimeoutMs: true,
  redirects: true,
  maxBodyBytes: true,
  bodySchema: true,
  bodyMatches: true,
}

/** Of each end of a body, kept in the verdict. */
const endBytes = 2 * 1024

/**
 * A server answers with the wanted status (and body). It proves what that address answered in that moment; who answers is
 * not told: see `processAlive`. Where it is waited for, any other answer means not ready yet, and the last one stands.
 *
 * Another status or body, and nobody there (refused, dropped): `failed`. No answer in time, an unknown name, no network, or
 * a certificate that is not trusted: `error` with `infrastructure`. The times are milliseconds. Never remembered.
 * @throws {UsageError} for an address, a status or a bound that is none
 */
export function httpStatus(options: HttpStatusOptions): Verifier {
  assertKnownKeys(options, httpStatusKeys, 'httpStatus')
  const wanted = statusMatcher(options.status ?? 200)
  const request = requestOf(options)
  const problemOfBody = bodyCheck(options)
  const readyWithinMs = numberOf('readyWithinMs', options.readyWithinMs ?? 0, 0)
  const intervalMs = numberOf('intervalMs', options.intervalMs ?? 250, 1)
  if (readyWithinMs > timeoutOf(options))
    throw new UsageError(
      `readyWithinMs is ${readyWithinMs}, longer than the whole check may take; give timeoutMs`,
    )
  const name = options.name ?? `${request.method} ${request.url}`
  const ask: UserVerifier = async (_context, signal) => {
    const endMs = performance.now() + readyWithinMs
    for (let tries = 1; ; tries += 1) {
      const answer = await askServer(request, signal)
      const report = await askForReport(answer, request, wanted, problemOfBody)
      const isLast = performance.now() + intervalMs > endMs
      if (report.status === 'passed' || isLast || signal.aborted) return withTries(report, tries)
      await pause(intervalMs, undefined, { signal })
    }
  }
  return { ...verifierBy(name, ask, options), asks: askedBy(new URL(request.url)) }
}

/** A server of another machine is nobody's left-over process. */
function askedBy({ hostname, port, protocol }: URL): readonly RequestedProcess[] {
  const isHere = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$|\.localhost$/.test(hostname)
  return isHere ? [{ port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }] : []
}

async function askForReport(
  answer: ServerAnswer,
  { url, timeoutMs, maxBodyBytes }: ServerRequest,
  wanted: StatusMatcher,
  problemOfBody: BodyCheck,
): Promise<VerifierReport> {
  switch (answer.kind) {
    case 'answered': {
      const evidence = evidenceOf(answer.status, answer.body)
      if (!isWanted(wanted, answer.status))
        return failedReport(`${url} answered ${answer.status}, not ${wanted.shown}`, ...evidence)
      if (answer.truncated)
        return {
          ...undecidedReport(`${url} answered more than ${maxBodyBytes} bytes; give maxBodyBytes`),
          evidence,
        }
      const problem = await problemOfBody(answer.body)
      if (problem === undefined) return passedReport(`${url} answered ${answer.status}`, ...evidence)
      const reason = `${url} answered ${answer.status}, and ${problem.reason}`
      return { ...problem, reason, evidence: [...evidence, ...problem.evidence] }
    }
    case 'refused':
      return failedReport(`nobody answers at ${url}: ${answer.problem}`)
    case 'timed-out':
      return undecidedReport(`${url} did not answer within ${timeoutMs / 1000} s`, 'infrastructure')
    case 'unreachable':
      return undecidedReport(`${url} cannot be reached: ${answer.problem}`, 'infrastructure')
    case 'interrupted':
      return interruptedReport()
  }
}

function evidenceOf(status: number, body: Uint8Array): readonly Evidence[] {
  const text = new TextDecoder().decode(body)
  const shown = showExcerpt(excerptOf(text, endBytes, endBytes))
  return [
    { kind: 'measure', name: 'status', value: status },
    ...(text === '' ? [] : [{ kind: 'note' as const, text: `body: ${shown}` }]),
  ]
}

function withTries(report: VerifierReport, tries: number): VerifierReport {
  if (tries === 1) return report
  return { ...report, evidence: [{ kind: 'measure', name: 'tries', value: tries }, ...report.evidence] }
}

/** @throws {UsageError} */
function requestOf(options: HttpStatusOptions): ServerRequest {
  const { method = 'GET', headers = {}, body, redirects = 'answer' } = options
  const url = URL.parse(options.url)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(
      `url is ${showValue(options.url)}; give an address such as "http://localhost:3000/health"`,
    )
  const request: ServerRequest = {
    url: url.href,
    method,
    headers,
    body,
    redirects,
    timeoutMs: numberOf('requestTimeoutMs', options.requestTimeoutMs ?? 10_000, 1),
    maxBodyBytes: numberOf('maxBodyBytes', options.maxBodyBytes ?? 1024 * 1024, 0),
  }
  try {
    new Request(url, { method, headers, ...given({ body }) })
  } catch (error) {
    throw new UsageError(`such a request cannot be sent: ${String(error)}`, { cause: error })
  }
  return request
}

function numberOf(option: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value < 2 ** 31) return value
  throw new UsageError(`${option} is ${value}; give a whole number, ${least} or more`)
}
