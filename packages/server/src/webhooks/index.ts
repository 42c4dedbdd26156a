import { createUpdateFinder, buildMessage, type RunUpdate, type Message } from './message.ts'
import { openOutbox, type Outbox } from './outbox.ts'
import {
  assertKnownKeys,
  messageOf,
  optionKeys,
  UsageError,
  donecheckVersion,
} from '@donecheck/engine/internal/base'
import type { Clock } from '@donecheck/engine/internal/ports/loop'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { systemClock } from '@donecheck/engine/internal/loop/run'
import { createHmac } from 'node:crypto'
import { readPrivateFile } from '../access/index.ts'

export interface WebhookOptions {
  readonly store: Store
  readonly urls: readonly string[]
  readonly secret: Buffer
  readonly file: string
  /** Receives one line when we give up on a message or a receiver. Default: discarded. */
  readonly log?: (line: string) => void
  readonly clock?: Clock
}

export interface Webhooks {
  /** Stops sending; unsent messages are sent when the outbox is next opened. */
  close(): Promise<void>
}

const keys = optionKeys<WebhookOptions>()('store! urls! secret! file! log clock')

const pollMs = 1_000
const graceMs = 2_000
const dayMs = 24 * 60 * 60 * 1000
/** Events older than this are not sent, for example if the service was down for weeks. */
const staleMs = 7 * dayMs
/** Must be longer than staleMs, or messages would be sent twice. */
const retentionMs = 14 * dayMs

/**
 * Sends run stops and questions to each URL, at least once each, with a stable id.
 * @throws {UsageError} for an invalid URL
 */
export async function startWebhooks(options: WebhookOptions): Promise<Webhooks> {
  assertKnownKeys(options, keys, 'startWebhooks')
  const { store, urls, secret, file, log = () => undefined, clock = systemClock } = options
  urls.forEach(assertHttp)
  const nowMs = clock.nowMs()
  const { latest: mark } = await store.changes()
  const outbox = openOutbox(file, { beganMs: nowMs, mark }, nowMs - retentionMs)
  const closing = new AbortController()
  const breakOff = new AbortController()
  const activeUrls = new Set(urls)
  const work = { outbox, secret, log, clock, signal: closing.signal, breakOff: breakOff.signal }
  const senders = [...activeUrls].map((url) => sendAll(url, work).finally(() => activeUrls.delete(url)))
  const poller = pollChanges(createUpdateFinder(store, log), activeUrls, work)
  return {
    async close() {
      closing.abort()
      const timer = setTimeout(() => {
        breakOff.abort()
      }, graceMs)
      await Promise.all([poller, ...senders])
      clearTimeout(timer)
      outbox.close()
    },
  }
}

interface Work {
  readonly outbox: Outbox
  readonly secret: Buffer
  readonly log: (line: string) => void
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly breakOff: AbortSignal
}

/** Saves messages before it advances the mark, so that a crash loses none. */
async function pollChanges(
  find: ReturnType<typeof createUpdateFinder>,
  activeUrls: ReadonlySet<string>,
  { outbox, log, clock, signal }: Work,
): Promise<void> {
  const keepMessages = (update: RunUpdate) => {
    const nowMs = clock.nowMs()
    if (update.timeMs < Math.max(outbox.beganMs, nowMs - staleMs)) return
    for (const url of activeUrls) outbox.keep(buildMessage(update, url), nowMs)
  }
  let problem = ''
  while (!signal.aborted) {
    try {
      const latest = await find(outbox.mark, keepMessages)
      if (latest !== outbox.mark) outbox.mark = latest
      problem = ''
    } catch (error) {
      // Logged once, because the loop retries every second.
      if (messageOf(error) !== problem) log(`webhooks: cannot read new events: ${messageOf(error)}`)
      problem = messageOf(error)
    }
    await clock.sleep(pollMs, signal)
  }
}

/** Sends messages one at a time until closed or until the receiver opts out. */
async function sendAll(url: string, { outbox, secret, log, clock, signal, breakOff }: Work): Promise<void> {
  // The path may contain a key, so only the origin is logged.
  const receiver = `webhook ${new URL(url).origin}`
  let isFailing = false
  while (!signal.aborted) {
    const message = outbox.claim(url, clock.nowMs(), clock.nowMs() + 2 * timeoutMs)
    if (message === undefined) {
      await clock.sleep(pollMs, signal)
      continue
    }
    const delivery = await send(message, secret, clock.nowMs(), breakOff)
    const nowMs = clock.nowMs()
    switch (delivery.kind) {
      case 'taken':
        outbox.postpone(message.id, null)
        break
      case 'broken-off':
        outbox.postpone(message.id, nowMs)
        break
      case 'gone':
        outbox.giveUp(url)
        log(`${receiver}: gone (410); sending stops until the service restarts`)
        return
      case 'failed': {
        const dueMs = nextAttemptMs({ ...message, ...delivery, nowMs, random: Math.random() })
        outbox.postpone(message.id, dueMs)
        if (!isFailing) log(`${receiver}: ${delivery.problem}; retrying for a day`)
        if (dueMs === null) log(`${receiver}: ${message.id} dropped after ${message.attempts} attempts`)
      }
    }
    isFailing = delivery.kind === 'failed'
  }
}

function assertHttp(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--webhook must be an https:// or http:// URL, not "${url}"`)
}

/** Undelivered messages are dropped after this time. */
const giveUpAfterMs = 24 * 60 * 60 * 1000
const firstDelayMs = 5_000
const longestDelayMs = 60 * 60 * 1000

export interface FailedAttempt {
  readonly attempts: number
  readonly keptAtMs: number
  readonly nowMs: number
  /** Minimum wait that the receiver requested. */
  readonly retryAfterMs: number
  /** 0 to 1; spreads retries of simultaneous failures. */
  readonly random: number
}

/** Returns when to retry, or null to give up. */
export function nextAttemptMs({
  attempts,
  keptAtMs,
  nowMs,
  retryAfterMs,
  random,
}: FailedAttempt): number | null {
  const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempts - 1)) * (0.5 + random / 2)
  const dueMs = Math.ceil(nowMs + Math.max(delayMs, retryAfterMs))
  return dueMs > keptAtMs + giveUpAfterMs ? null : dueMs
}

type Delivery =
  | { readonly kind: 'taken' }
  | { readonly kind: 'gone' }
  /** Aborted by us, so the attempt does not count against the receiver. */
  | { readonly kind: 'broken-off' }
  | { readonly kind: 'failed'; readonly problem: string; readonly retryAfterMs: number }

const timeoutMs = 15_000

async function send(message: Message, secret: Buffer, nowMs: number, signal: AbortSignal): Promise<Delivery> {
  try {
    const response = await fetch(message.url, {
      method: 'POST',
      // The operator has not approved the target of a redirect.
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
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), nowMs)
    return { kind: 'failed', problem: `HTTP ${response.status}`, retryAfterMs }
  } catch (error) {
    if (signal.aborted) return { kind: 'broken-off' }
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { kind: 'failed', problem: messageOf(cause), retryAfterMs: 0 }
  }
}

function parseRetryAfter(header: string | null, nowMs: number): number {
  if (header === null) return 0
  const seconds = Number(header)
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1000
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : 0
}

const minSecretBytes = 24
const maxSecretBytes = 64

/** @throws {UsageError} if others can read the file or its secret is invalid; never quotes it */
export function readWebhookSecret(path: string): Buffer {
  const [, encoded = ''] = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/.exec(readPrivateFile(path).trim()) ?? []
  const secret = Buffer.from(encoded, 'base64')
  if (secret.length >= minSecretBytes && secret.length <= maxSecretBytes) return secret
  throw new UsageError(
    `${path} has no valid secret: expected ${minSecretBytes} to ${maxSecretBytes} bytes in base64, optionally after "whsec_". Create one with: openssl rand -base64 32`,
  )
}

/** Signs the message as Standard Webhooks specifies (https://www.standardwebhooks.com). */
function signedHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  secret: Buffer,
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
