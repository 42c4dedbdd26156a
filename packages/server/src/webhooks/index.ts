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
  /** Receives a line when a message is given up or a receiver stops taking messages. By default these are dropped. */
  readonly log?: (line: string) => void
  readonly clock?: Clock
}

export interface Webhooks {
  /** What was not sent is sent by whoever opens the outbox next. */
  close(): Promise<void>
}

const keys = optionKeys<WebhookOptions>()('store! urls! secret! file! log clock')

const lookMs = 1_000
const graceMs = 2_000
const dayMs = 24 * 60 * 60 * 1000
/** What happened so long ago is no news any more, such as after the service was off for weeks. */
const staleMs = 7 * dayMs
/** Longer than what is stale, or it would be sent again. */
const keptMs = 14 * dayMs

/**
 * Tells each URL what ends and what is asked, from now on and at least once, under one id each.
 * @throws {UsageError} for a URL that is none
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

/** What is found is kept before the mark moves: whoever is killed in between finds it again. */
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
      // Told once: it is tried again every second.
      if (messageOf(error) !== problem) log(`webhooks: what is new cannot be found now: ${messageOf(error)}`)
      problem = messageOf(error)
    }
    await clock.sleep(lookMs, signal)
  }
}

/** One after the other. Ends when it is closed, or when nobody wants to hear more there. */
async function sendAll(url: string, { outbox, secret, log, clock, signal, breakOff }: Work): Promise<void> {
  // An address may hold a key: it is not written into a log.
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

/** A message that was not taken for so long is given up. */
const giveUpAfterMs = 24 * 60 * 60 * 1000
const firstDelayMs = 5_000
const longestDelayMs = 60 * 60 * 1000

export interface FailedAttempt {
  readonly attempts: number
  readonly keptAtMs: number
  readonly nowMs: number
  /** The minimum wait that the receiver asked for. */
  readonly retryAfterMs: number
  /** From 0 to 1: many who failed together do not come back together. */
  readonly random: number
}

/** When to try again, or null if the message is given up. */
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
  /** By us: it says nothing of the receiver. */
  | { readonly kind: 'broken-off' }
  | { readonly kind: 'failed'; readonly problem: string; readonly retryAfterMs: number }

const timeoutMs = 15_000

async function send(message: Message, secret: Buffer, nowMs: number, signal: AbortSignal): Promise<Answer> {
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
function signedHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  secret: Buffer,
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
