import type { Evidence } from '@donecheck/core/internal/events/verdicts'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { UsageError, withinTime } from '../../../base/index.ts'
import type { Verifier, VerifierResult } from '../../../ports/checks.ts'
import { excerptOf, showExcerpt } from '../../../system/process/index.ts'
import {
  failedReport,
  interruptedReport,
  passedReport,
  showThrown,
  showValue,
  undecidedResult,
} from '../reports/reports.ts'
import { namedOptions, readOptions, verifierBy, type Ask } from '../reports/verifier-of.ts'
import { compilePattern, type Pattern } from '../texts/patterns.ts'
import { decodeUtf8 } from '../texts/source.ts'

const httpStatusOptions = namedOptions.extend({
  /** `http:` or `https:`. */
  url: z.string(),
  /** Default 200. */
  status: z.number().int().min(100).max(599).optional(),
  /** Default GET. */
  method: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional(),
  /** Must occur in the body. */
  bodyMatches: z.custom<Pattern>().optional(),
  /** Milliseconds to retry until the answer is as expected. Default 0: one request. */
  readyWithinMs: z.number().int().nonnegative().optional(),
})
export type HttpStatusOptions = Readonly<z.infer<typeof httpStatusOptions>>

/** Milliseconds between tries, per try, and to match a body (blocking). */
const [intervalMs, requestTimeoutMs, matchTimeoutMs] = [250, 10_000, 1000]
/** Bytes. Longer bodies are `error`. */
const maxBodyBytes = 1024 * 1024
const endBytes = 2 * 1024

/**
 * A server answers with the expected status and body, without following redirects. Wrong answer or refused
 * connection: `failed`. No answer in 10 s, over 1 MiB, or network trouble: `error`.
 * @throws {UsageError} for an invalid address, status or limit
 */
export function httpStatus(given: HttpStatusOptions): Verifier {
  const options = readOptions(httpStatusOptions, given, 'httpStatus')
  const { status = 200, readyWithinMs = 0, timeoutMs = 300_000 } = options
  const request = requestOf(options)
  const problemOfBody = bodyCheck(options)
  if (readyWithinMs > timeoutMs)
    throw new UsageError(
      `readyWithinMs is ${readyWithinMs}, longer than the whole check may take; give timeoutMs`,
    )
  const ask: Ask = async (_context, signal) => {
    const endMs = performance.now() + readyWithinMs
    for (;;) {
      const answer = await askServer(request.clone(), signal)
      const report =
        answer.kind === 'answered' ? judgeAnswer(answer, request.url, status, problemOfBody) : answer.report
      const isLast = performance.now() + intervalMs > endMs
      if (report.status === 'passed' || isLast || signal.aborted) return report
      await pause(intervalMs, undefined, { signal })
    }
  }
  const name = options.name ?? `${request.method} ${request.url}`
  return verifierBy(name, ask, options)
}

function requestOf({ url, method = 'GET', headers = {}, body }: HttpStatusOptions): Request {
  const address = URL.parse(url)
  if (address === null || !['http:', 'https:'].includes(address.protocol))
    throw new UsageError(`url is ${showValue(url)}; give an address such as "http://localhost:3000/health"`)
  try {
    return new Request(address, {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      cache: 'no-store',
    })
  } catch (error) {
    throw new UsageError(`such a request cannot be sent: ${String(error)}`, { cause: error })
  }
}

type ServerAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Uint8Array }
  /** Unknown name, network down or untrusted certificate. */
  | { readonly kind: 'no-answer'; readonly report: VerifierResult }

/** The machine answers, but no service listens. */
const refusals = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Sends one request and reads a limited body. Never rejects. */
async function askServer(request: Request, signal: AbortSignal): Promise<ServerAnswer> {
  const timeout = AbortSignal.timeout(requestTimeoutMs)
  try {
    const response = await fetch(request, { signal: AbortSignal.any([signal, timeout]) })
    return { kind: 'answered', status: response.status, body: await readBody(response) }
  } catch (error) {
    return { kind: 'no-answer', report: reportNoAnswer(request.url, error, signal, timeout) }
  }
}

function reportNoAnswer(
  url: string,
  error: unknown,
  signal: AbortSignal,
  timeout: AbortSignal,
): VerifierResult {
  if (signal.aborted) return interruptedReport()
  if (timeout.aborted)
    return undecidedResult(`${url} did not answer within ${requestTimeoutMs / 1000} s`, 'infrastructure')
  const { code, problem } = whyNoAnswer(error)
  return refusals.includes(code)
    ? failedReport(`nobody answers at ${url}: ${problem}`)
    : undecidedResult(`${url} cannot be reached: ${problem}`, 'infrastructure')
}

async function readBody({ body }: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  if (body !== null)
    // Leaving the loop ends the connection.
    for await (const piece of chunksOf(body)) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes > maxBodyBytes) break
    }
  return Buffer.concat(pieces)
}

function chunksOf(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  return body
}

/** With several addresses, the outer error has the first one's code. */
function whyNoAnswer(error: unknown): { readonly code: string; readonly problem: string } {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
  const said = showThrown(cause)
  return { code, problem: said.includes(code) ? said : `${said} (${code})` }
}

function judgeAnswer(
  { status, body }: Extract<ServerAnswer, { kind: 'answered' }>,
  url: string,
  wanted: number,
  problemOfBody: BodyCheck,
): VerifierResult {
  const text = new TextDecoder().decode(body)
  const shown = showExcerpt(excerptOf(text, endBytes, endBytes))
  const evidence: readonly Evidence[] = [
    { kind: 'measure', name: 'status', value: status },
    ...(text === '' ? [] : [{ kind: 'note' as const, text: `body: ${shown}` }]),
  ]
  const answered = `${url} answered ${status}`
  if (status !== wanted) return failedReport(`${answered}, not ${wanted}`, ...evidence)
  if (body.length > maxBodyBytes)
    return { ...undecidedResult(`${url} answered more than ${maxBodyBytes} bytes`), evidence }
  const problem = problemOfBody(body)
  if (problem === undefined) return passedReport(answered, ...evidence)
  return { ...problem, reason: `${answered}, and ${problem.reason}`, evidence }
}

type BodyCheck = (body: Uint8Array) => VerifierResult | undefined

/** @throws {UsageError} for an invalid pattern */
function bodyCheck({ bodyMatches }: HttpStatusOptions): BodyCheck {
  if (bodyMatches === undefined) return () => undefined
  const { shown, find } = compilePattern(bodyMatches)
  return (body) => {
    const text = decodeUtf8(body)
    if (text === undefined) return failedReport('the body is no UTF-8 text')
    const found = withinTime(matchTimeoutMs, () => find(text, 1))
    if (found.kind === 'timed-out') return undecidedResult(`matching the body with ${shown} did not end`)
    return found.value.length > 0 ? undefined : failedReport(`the body does not match ${shown}`)
  }
}
