import { donecheckVersion, messageOf, UsageError } from '@donecheck/engine/base'
import type { Message } from './message.ts'
import { createHmac } from 'node:crypto'
import { readPrivateFile } from '../access/index.ts'

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

const minSecretBytes = 24
const maxSecretBytes = 64

/** @throws {UsageError} for a file that others can read, or that holds no such secret; it never quotes it */
export function readWebhookSecret(path: string): Buffer {
  const [, encoded = ''] = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/.exec(readPrivateFile(path).trim()) ?? []
  const secret = Buffer.from(encoded, 'base64')
  if (secret.length >= minSecretBytes && secret.length <= maxSecretBytes) return secret
  throw new UsageError(
    `${path} holds no secret: ${minSecretBytes} to ${maxSecretBytes} bytes in base64, "whsec_" before them or not; "openssl rand -base64 32" makes one`,
  )
}

/** As Standard Webhooks has it (https://www.standardwebhooks.com): what is sent with a body, so that whoever has the secret can tell that it is ours, and of now. */
export function signedHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  secret: Buffer,
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
