import { createHash } from 'node:crypto'
import { canonicalJson } from '@donecheck/core/internal/base'
import { sha256 } from '@donecheck/engine/internal/base'
import { sortableIds, systemClock } from '@donecheck/engine/internal/loop/run'
import { bell } from '../live/index.ts'
import { summaryOf, Problem, type LaunchedRun, type Workplace } from './route.ts'
import type { StartRequest, TopUpRequest } from './shapes.ts'
import { goalControl } from '@donecheck/engine/internal/loop/compose'
import { isAlive } from '@donecheck/engine/internal/system/process'
import type { LeaseHolder, Store } from '@donecheck/engine/internal/ports/store'

/** A process that has neither begun nor ended by then is slow, and goes on. */
const patienceMs = 60_000
/** Of one that waits its turn: enough to hear that it can never begin. */
const queuedPatienceMs = 5_000

/**
 * @param key the same key of the same user is the same run, also after a restart: its id is made of them, and no two runs begin under one id
 * @returns the id of the run
 */
export async function startRun(
  place: Workplace,
  request: StartRequest,
  userName: string,
  key: string | undefined,
): Promise<string> {
  const { launcher } = place
  if (launcher === null) throw readOnly()
  if (key === undefined) {
    const runId = sortableIds(systemClock).next()
    await begun(place, runId, 0, await launcher.start(runId, request))
    return runId
  }
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw new Problem('invalid-request', 'Idempotency-Key has 1 to 200 visible characters')
  const runId = idOfKey(userName, key)
  const { store } = place
  const digest = sha256(canonicalJson(request))
  await place.once(runId, async () => {
    if ((await store.readAfter(runId, 0, 1)).length > 0) return
    // What a later request under the same key is compared with. Its text is not kept: nobody knows yet what in it is secret.
    await store.attach(runId, { digest, content: '' })
    await begun(place, runId, 0, await launcher.start(runId, request))
  })
  if ((await store.attachment(runId, digest)) === undefined)
    throw new Problem('conflict', `Idempotency-Key ${key} was used for another request; choose a new one`)
  return runId
}

export async function resumeRun(place: Workplace, runId: string, topUp: TopUpRequest): Promise<void> {
  const { launcher, store } = place
  if (launcher === null) throw readOnly()
  const { events, reason } = await summaryOf(store, runId)
  // One whose process died has not stopped either, and goes on all the same.
  if (reason === undefined && (await livingHolder(store, runId)) !== undefined)
    throw new Problem('conflict', `run ${runId} has not stopped; cancel it first, or wait until it has`)
  const isFirst = await place.once(runId, async () =>
    begun(place, runId, events, await launcher.resume(runId, topUp)),
  )
  if (!isFirst)
    throw new Problem('conflict', `run ${runId} was resumed by somebody else at the same moment; look first`)
}

function readOnly(): Problem {
  return new Problem('forbidden', 'this service only shows runs; start one with "donecheck serve"')
}

/** 130 bits in the letters of all other ids. */
function idOfKey(userName: string, key: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([userName, key]))
    .digest()
  return Array.from(bytes.subarray(0, 26), (byte) => letters[byte % letters.length]).join('')
}

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** @throws {Problem} with its last words where the process ended before it had begun */
async function begun(
  place: Workplace,
  runId: string,
  known: number,
  { ended, isQueued }: LaunchedRun,
): Promise<void> {
  const over = new AbortController()
  const news = bell(over.signal)
  const stop = await place.changes.listen(news.ring)
  let message: string | undefined
  ended.then(
    (words) => {
      message = words
      news.ring()
    },
    () => undefined,
  )
  try {
    const untilMs = place.nowMs() + (isQueued === true ? queuedPatienceMs : patienceMs)
    while (place.nowMs() < untilMs) {
      const hasEnded = message !== undefined
      if ((await place.store.readAfter(runId, known, 1)).length > 0) return
      if (hasEnded) throw new Problem('refused', message ?? '')
      await news.rung(1000)
    }
  } finally {
    stop()
    over.abort()
  }
}

/**
 * A run is stopped from outside: its process is interrupted as by Ctrl-C, and where that cannot be, its goal is paused.
 * `stopped`: it had stopped before.
 */
export async function cancelRun(
  { store, interrupted, launcher }: Workplace,
  runId: string,
  by: string,
  reason = `cancelled by ${by}`,
): Promise<'interrupted' | 'paused' | 'stopped'> {
  const { reason: ended } = await summaryOf(store, runId)
  if (ended !== undefined) return 'stopped'
  if (launcher?.cancel !== undefined) {
    await launcher.cancel(runId, by)
    return 'interrupted'
  }
  const holder = await livingHolder(store, runId)
  if (holder !== undefined) {
    // A second Ctrl-C ends it at once, in the middle of its end: whoever cancels again has not asked for that.
    const signalled = `${runId} ${holder.processId} ${holder.processStart}`
    if (!interrupted.has(signalled)) process.kill(holder.processId, 'SIGINT')
    interrupted.add(signalled)
    return 'interrupted'
  }
  await goalControl(store).change(runId, { kind: 'paused', reason }, { by })
  return 'paused'
}

/** Of a process on this machine that works at the run. Without its start nobody can tell whether it is still the one that took the lease. */
async function livingHolder(store: Store, runId: string): Promise<LeaseHolder | undefined> {
  const holder = (await store.leaseOf(`run ${runId}`))?.holder
  return holder !== undefined && holder.processStart !== null && isAlive(holder) === 'alive'
    ? holder
    : undefined
}
