import { donecheckVersion, messageOf } from '@donecheck/engine/base'
import type { Message } from './message.ts'
import { signedHeaders } from './signature.ts'

export type Answer =
  | { readonly kind: 'taken' }
  /** Nobody wants to hear more there. */
  | { readonly kind: 'gone' }
  /** By us: it says nothing of the receiver. */
  | { readonly kind: 'broken-off' }
  /** @param retryAfterMs how long it asks not to be asked again; 0: it did not say */
  | { readonly kind: 'failed'; readonly problem: string; readonly retryAfterMs: number }

/** How long an answer is waited for. */
export const timeoutMs = 15_000

/** One try. What is answered beside the status is not read. */
export async function send(
  message: Message,
  secret: Buffer,
  nowMs: number,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const response = await fetch(message.url, {
      method: 'POST',
      // Where it leads to is not what the operator has written down.
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': `donecheck/${donecheckVersion}`,
        ...signedHeaders(message, secret, nowMs),
      },
      body: message.body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    if (response.ok) return { kind: 'taken' }
    if (response.status === 410) return { kind: 'gone' }
    const retryAfterMs = waitAsked(response.headers.get('retry-after'), nowMs)
    return { kind: 'failed', problem: `it answers ${response.status}`, retryAfterMs }
  } catch (error) {
    if (signal.aborted) return { kind: 'broken-off' }
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { kind: 'failed', problem: messageOf(cause), retryAfterMs: 0 }
  }
}

/** Seconds, or a date. */
function waitAsked(header: string | null, nowMs: number): number {
  if (header === null) return 0
  const seconds = Number(header)
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1000
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : 0
}
