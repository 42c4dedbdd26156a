/** What a receiver gets of the runs of a store, over real HTTP, by a clock that the test moves. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { secret, startReceiver, type Receiver } from './fixtures/receiver.ts'
import { readWebhookSecret, startWebhooks, type Webhooks } from './index.ts'
import { memoryStore } from '@donecheck/engine/store'
import { manualClock } from '@donecheck/engine/testing'
import { runStarted, stamp } from '@donecheck/core/testing'
import { goalSet, runResumed, runStopped } from '@donecheck/core/internal/testing/facts'
import type { FactOf } from '@donecheck/core/internal/events'

const startMs = 1_000_000_000
const hourMs = 60 * 60 * 1000

let folder = ''
let receiver: Receiver
let clock = manualClock(startMs)
let store = memoryStore()
let log: string[] = []
let opened: Webhooks[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-webhooks-'))
  receiver = await startReceiver()
  clock = manualClock(startMs)
  store = memoryStore()
  log = []
  opened = []
})

afterEach(async () => {
  // Some were closed before.
  await Promise.allSettled(opened.map((webhooks) => webhooks.close()))
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

async function start(urls: readonly string[] = [receiver.url]): Promise<Webhooks> {
  const file = join(folder, 'webhooks.sqlite')
  const webhooks = await startWebhooks({ store, urls, secret, file, clock, log: (line) => log.push(line) })
  opened.push(webhooks)
  return webhooks
}

const end = {
  done: runStopped('task_complete', { outcome: 'verified' }),
  capped: runStopped('hard_cap', { outcome: 'exhausted', cap: 'tokens' }),
  blocked: runStopped('awaiting_approval', { outcome: 'blocked' }),
  stopped: runStopped('stagnated', { outcome: 'exhausted' }),
} as const

async function endRun(
  runId: string,
  ending: FactOf<'run-stopped'> = end.done,
  atMs = clock.nowMs(),
): Promise<void> {
  await store.append(0, stamp([runStarted(), goalSet(), ending], { runId, startMs: atMs }), null)
}

/** Time passes, step by step, until it is so. */
async function passes(isSo: () => boolean, stepMs = 1_000): Promise<void> {
  await expect
    .poll(
      () => {
        clock.advance(stepMs)
        return isSo()
      },
      { interval: 2 },
    )
    .toBe(true)
}

const types = () => receiver.received.map(({ type, data }) => `${type} ${String(data['runId'])}`)

describe('given a service that has been started', () => {
  it('each end and each question is told, signed so that the library of the standard takes it', async () => {
    await start()
    await endRun('run-1', end.done)
    await endRun('run-2', end.capped)
    await endRun('run-3', end.blocked)
    await endRun('run-4', end.stopped)
    await store.append(0, stamp([runStarted(), goalSet()], { runId: 'run-5', startMs: clock.nowMs() }), null)
    await store.keepQuestion({
      id: 'question-1',
      runId: 'run-5',
      askedAtMs: clock.nowMs(),
      subject: { kind: 'done', check: 'looks right', question: 'Does it?', details: 'a diff' },
    })
    await passes(() => receiver.received.length === 5)
    expect(types().toSorted()).toEqual([
      'approval.requested run-5',
      'run.blocked run-3',
      'run.capped run-2',
      'run.done run-1',
      'run.stopped run-4',
    ])
    expect(receiver.refused).toEqual([])
    expect(receiver.received.find(({ type }) => type === 'run.capped')?.data).toMatchObject({
      reason: 'hard_cap',
      outcome: 'exhausted',
      cap: 'tokens',
      task: 'make the tests pass',
    })
  })

  it('what ended before the first start is not told, and a run that goes on and ends again is', async () => {
    await endRun('run-1', end.capped, startMs - hourMs)
    await start()
    await store.append(
      3,
      stamp([runStarted(), goalSet(), end.capped, runResumed(), end.done], {
        runId: 'run-1',
        startMs: clock.nowMs(),
      }).slice(3),
      null,
    )
    await passes(() => receiver.received.length > 0)
    expect(types()).toEqual(['run.done run-1'])
  })

  it('what ended while it was off is told at the next start, once', async () => {
    await (await start()).close()
    await endRun('run-1')
    const second = await start()
    await passes(() => receiver.received.length === 1)
    await second.close()
    await start()
    await endRun('run-2')
    await passes(() => receiver.received.length === 2)
    expect(types()).toEqual(['run.done run-1', 'run.done run-2'])
  })
})

describe('given a receiver that does not take it', () => {
  it('it is tried again with growing waits for a day, then given up, and both are told', async () => {
    await start()
    receiver.answers({ status: 503 })
    await endRun('run-1')
    await passes(() => receiver.received.length === 1)
    await passes(() => log.some((line) => line.includes('dropped')), 10 * 60_000)
    expect(receiver.received.length).toBeGreaterThan(20)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
    expect(log[0]).toContain('HTTP 503')
    // An address may hold a key.
    expect(log.join()).not.toContain('/hook')
  })

  it('a redirect is not followed', async () => {
    const elsewhere = await startReceiver()
    await start()
    receiver.answers({ status: 307, headers: { location: elsewhere.url } })
    await endRun('run-1')
    await passes(() => log.length === 1)
    expect(log[0]).toContain('HTTP 307')
    expect(elsewhere.received).toEqual([])
    elsewhere.close()
  })

  it('one that is gone is asked no more, until the service starts anew', async () => {
    const webhooks = await start()
    receiver.answers({ status: 410 }, { status: 204 })
    await endRun('run-1')
    await passes(() => log.some((line) => line.includes('gone (410)')))
    await webhooks.close()
    await start()
    await endRun('run-2')
    await passes(() => receiver.received.length > 1)
    expect(types()).toEqual(['run.done run-1', 'run.done run-2'])
  })
})

describe('given a secret and addresses', () => {
  const fileOf = (content: string, mode = 0o600) => {
    const file = join(folder, 'secret')
    writeFileSync(file, content, { mode })
    return file
  }
  const base64 = secret.toString('base64')

  it.each([base64, `whsec_${base64}\n`])('%s is read', (content) => {
    expect(readWebhookSecret(fileOf(content))).toEqual(secret)
  })

  it.each(['', 'whsec_short', 'no base64 at all, but long enough for a secret'])(
    '"%s" is misuse',
    (content) => {
      expect(() => readWebhookSecret(fileOf(content))).toThrow(/openssl rand -base64 32/)
    },
  )

  it('a file that others can read is misuse', () => {
    expect(() => readWebhookSecret(fileOf(base64, 0o644))).toThrow(/chmod 600/)
  })
})
