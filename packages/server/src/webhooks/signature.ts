/** As Standard Webhooks has it: https://www.standardwebhooks.com */
import { createHmac } from 'node:crypto'
import { UsageError } from '@donecheck/engine/base'
import { readPrivateFile } from '../access/index.ts'

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

/** What is sent with a body, so that whoever has the secret can tell that it is ours, and of now. */
export function signedHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  secret: Buffer,
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
