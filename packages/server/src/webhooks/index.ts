import { newsFinder, buildMessage, type News, type Message } from './message.ts'
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
  /** Receives a line if a message or a receiver is given up. Default: dropped. */
  readonly log?: (line: string) => void
  readonly clock?: Clock
}

export interface Webhooks {
  /** Unsent messages are sent when the outbox is opened next. */
  close(): Promise<void>
}

const keys = optionKeys<WebhookOptions>()('store! urls! secret! file! log clock')

const lookMs = 1_000
const graceMs = 2_000
const dayMs = 24 * 60 * 60 * 1000
/** Older events are not sent, for example after weeks without the service. */
const staleMs = 7 * dayMs
/** Longer than staleMs, or messages would be sent twice. */
const keptMs = 14 * dayMs

/**
 * Sends ends and questions to each URL, at least once each under a stable id.
 * @throws {UsageError} for an invalid URL
 */
export async function startWebhooks(options: WebhookOptions): Promise<Webhooks> {
  assertKnownKeys(options, keys, 'startWebhooks')
  const { store, urls, secret, file, log = () => undefined, clock = systemClock } = options
  urls.forEach(assertHttp)
  const nowMs = clock.nowMs()
  const { latest: mark } = await store.changes()
  const outbox = openOutbox(file, { beganMs: nowMs, mark }, nowMs - keptMs)
  const closing = new AbortController()
  const breakOff = new AbortController()
  const wanted = new Set(urls)
  const work = { outbox, secret, log, clock, signal: closing.signal, breakOff: breakOff.signal }
  const senders = [...wanted].map((url) => sendAll(url, work).finally(() => wanted.delete(url)))
  const looker = lookOut(newsFinder(store, log), wanted, work)
  return {
    async close() {
      closing.abort()
      const timer = setTimeout(() => {
        breakOff.abort()
      }, graceMs)
      await Promise.all([looker, ...senders])
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

/** Saves the messages before the mark moves, so that a crash loses none. */
async function lookOut(
  find: ReturnType<typeof newsFinder>,
  wanted: ReadonlySet<string>,
  { outbox, log, clock, signal }: Work,
): Promise<void> {
  const tell = (news: News) => {
    const nowMs = clock.nowMs()
    if (news.timeMs < Math.max(outbox.beganMs, nowMs - staleMs)) return
    for (const url of wanted) outbox.keep(buildMessage(news, url), nowMs)
  }
  let problem = ''
  while (!signal.aborted) {
    try {
      const latest = await find(outbox.mark, tell)
      if (latest !== outbox.mark) outbox.mark = latest
      problem = ''
    } catch (error) {
      // Logged once, because it is retried every second.
      if (messageOf(error) !== problem) log(`webhooks: what is new cannot be found now: ${messageOf(error)}`)
      problem = messageOf(error)
    }
    await clock.sleep(lookMs, signal)
  }
}

/** Sends one message after the other until it is closed or the receiver opts out. */
async function sendAll(url: string, { outbox, secret, log, clock, signal, breakOff }: Work): Promise<void> {
  // The path may contain a key, so it is not logged.
  const place = `webhook ${new URL(url).origin}`
  let isFailing = false
  while (!signal.aborted) {
    const message = outbox.claim(url, clock.nowMs(), clock.nowMs() + 2 * timeoutMs)
    if (message === undefined) {
      await clock.sleep(lookMs, signal)
      continue
    }
    const answer = await send(message, secret, clock.nowMs(), breakOff)
    const nowMs = clock.nowMs()
    switch (answer.kind) {
      case 'taken':
        outbox.postpone(message.id, null)
        break
      case 'broken-off':
        outbox.postpone(message.id, nowMs)
        break
      case 'gone':
        outbox.giveUp(url)
        log(`${place}: it is gone (410); nothing more is sent there until the service starts anew`)
        return
      case 'failed': {
        const dueMs = nextAttemptMs({ ...message, ...answer, nowMs, random: Math.random() })
        outbox.postpone(message.id, dueMs)
        if (!isFailing) log(`${place}: ${answer.problem}; it is tried again, for a day`)
        if (dueMs === null) log(`${place}: ${message.id} was given up after ${message.attempts} tries`)
      }
    }
    isFailing = answer.kind === 'failed'
  }
}

function assertHttp(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--webhook takes a URL that begins with https:// or http://, not ${url}`)
}

/** Undelivered messages are given up after this time. */
const giveUpAfterMs = 24 * 60 * 60 * 1000
const firstDelayMs = 5_000
const longestDelayMs = 60 * 60 * 1000

export interface FailedAttempt {
  readonly attempts: number
  readonly keptAtMs: number
  readonly nowMs: number
  /** The minimum wait that the receiver asked for. */
  readonly retryAfterMs: number
  /** 0 to 1; spreads retries of simultaneous failures. */
  readonly random: number
}

/** When to retry; null to give up. */
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

type Answer =
  | { readonly kind: 'taken' }
  | { readonly kind: 'gone' }
  /** Aborted by us, so it says nothing about the receiver. */
  | { readonly kind: 'broken-off' }
  | { readonly kind: 'failed'; readonly problem: string; readonly retryAfterMs: number }

const timeoutMs = 15_000

async function send(message: Message, secret: Buffer, nowMs: number, signal: AbortSignal): Promise<Answer> {
  try {
    const response = await fetch(message.url, {
      method: 'POST',
      // The operator did not configure the redirect's target.
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

function waitAsked(header: string | null, nowMs: number): number {
  if (header === null) return 0
  const seconds = Number(header)
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1000
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : 0
}

const minSecretBytes = 24
const maxSecretBytes = 64

/** @throws {UsageError} if others can read the file or it holds no valid secret; never quotes it */
export function readWebhookSecret(path: string): Buffer {
  const [, encoded = ''] = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/.exec(readPrivateFile(path).trim()) ?? []
  const secret = Buffer.from(encoded, 'base64')
  if (secret.length >= minSecretBytes && secret.length <= maxSecretBytes) return secret
  throw new UsageError(
    `${path} holds no secret: ${minSecretBytes} to ${maxSecretBytes} bytes in base64, "whsec_" before them or not; "openssl rand -base64 32" makes one`,
  )
}

/** Signs as in Standard Webhooks (https://www.standardwebhooks.com): proves origin and time. */
function signedHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  secret: Buffer,
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
