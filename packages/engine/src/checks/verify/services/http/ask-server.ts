import { showThrown } from '../../reports/reports.ts'
import { given } from '../../../../base/index.ts'

export interface ServerRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly redirects: 'follow' | 'answer'
  readonly timeoutMs: number
  readonly maxBodyBytes: number
}

export type ServerAnswer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly body: Uint8Array
      readonly truncated: boolean
    }
  /** Nobody took the connection, or it was taken and dropped: there is no such service. */
  | { readonly kind: 'refused'; readonly problem: string }
  /** It was not answered in time. */
  | { readonly kind: 'timed-out' }
  /** The way there is broken: the name is unknown, the network is down, the certificate is not to be trusted. */
  | { readonly kind: 'unreachable'; readonly problem: string }
  | { readonly kind: 'interrupted' }

/** The other side is there or its machine is, and there is no service. */
const refusals = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** One request and its answer with its body; of a longer body the first part. Never rejects. */
export async function askServer(request: ServerRequest, signal: AbortSignal): Promise<ServerAnswer> {
  const timeout = AbortSignal.timeout(request.timeoutMs)
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      redirect: request.redirects === 'follow' ? 'follow' : 'manual',
      cache: 'no-store',
      signal: AbortSignal.any([signal, timeout]),
      ...given({ body: request.body }),
    })
    return { kind: 'answered', status: response.status, ...(await readBody(response, request.maxBodyBytes)) }
  } catch (error) {
    if (signal.aborted) return { kind: 'interrupted' }
    if (timeout.aborted) return { kind: 'timed-out' }
    return failureOf(error)
  }
}

async function readBody(
  { body }: Response,
  maxBytes: number,
): Promise<{ readonly body: Uint8Array; readonly truncated: boolean }> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  if (body !== null)
    // Leaving the loop ends the connection.
    for await (const piece of chunksOf(body)) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes > maxBytes) break
    }
  const all = Buffer.concat(pieces)
  return { body: all.subarray(0, maxBytes), truncated: bytes > maxBytes }
}

function chunksOf(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  return body
}

/** A connection that failed: whether nobody is there, or the way is broken. */
export function failureOf(error: unknown): ServerAnswer {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = codeOf(cause)
  const said = showThrown(cause)
  const problem = said.includes(code) || code === '' ? said : `${said} (${code})`
  return { kind: refusals.includes(code) ? 'refused' : 'unreachable', problem }
}

/** Of several addresses that were tried, the error itself has the code of the first. */
function codeOf(cause: unknown): string {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
}
