import { newsFinder, messageOf, type News } from './message.ts'
import { openOutbox, type Outbox } from './outbox.ts'
import { nextAttemptMs } from './retry.ts'
import { send, timeoutMs } from './send.ts'
import { assertKnownKeys, messageOf as textOf, optionKeys, UsageError } from '@donecheck/engine/base'
import type { Clock } from '@donecheck/engine/ports/loop'
import type { Store } from '@donecheck/engine/ports/store'
import { systemClock } from '@donecheck/engine/run'

export interface WebhookOptions {
  readonly store: Store
  readonly urls: readonly string[]
  /** See `readWebhookSecret`. */
  readonly secret: Buffer
  /** Where the outbox is kept, beside the store. */
  readonly file: string
  /** Told what is given up, and where nothing arrives. Default: nobody. */
  readonly log?: (line: string) => void
  readonly clock?: Clock
}

export interface Webhooks {
  /** What was not sent is sent by whoever opens the outbox next. */
  close(): Promise<void>
}

const keys = optionKeys<WebhookOptions>()('store! urls! secret! file! log clock')

/** How often the store and the outbox are looked at. */
const lookMs = 1_000
/** So long an answer is waited for when the service ends. */
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
  /** No new work is begun. */
  readonly signal: AbortSignal
  /** What is under way ends, too. */
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
    for (const url of wanted) outbox.keep(messageOf(news, url), nowMs)
  }
  let problem = ''
  while (!signal.aborted) {
    try {
      const latest = await find(outbox.mark, tell)
      if (latest !== outbox.mark) outbox.mark = latest
      problem = ''
    } catch (error) {
      // Told once: it is tried again every second.
      if (textOf(error) !== problem) log(`webhooks: what is new cannot be found now: ${textOf(error)}`)
      problem = textOf(error)
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
