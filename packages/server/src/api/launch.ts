import { createHash } from 'node:crypto'
import { canonicalJson } from '@donecheck/core/internal/base'
import { sha256 } from '@donecheck/engine/internal/base'
import { sortableIds, systemClock } from '@donecheck/engine/internal/loop/run'
import { bell } from '../live/index.ts'
import type { LaunchedRun, StartRequest, TopUpRequest } from './launcher.ts'
import { Problem } from './shapes.ts'
import { summaryOf, type Workplace } from './workplace.ts'
import { goalControl } from '@donecheck/engine/internal/loop/compose'
import { isAlive } from '@donecheck/engine/internal/system/process'
import type { LeaseHolder, Store } from '@donecheck/engine/internal/ports/store'

/** A process without a result by then is slow, and continues. */
const patienceMs = 60_000
/** For a queued run: long enough to learn that it can never start. */
const queuedPatienceMs = 5_000

/** @param key the same key and user give the same run id, also after a restart */
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
    // For comparison with later requests of this key. The text may hold secrets, so only its digest is
    // stored.
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
  // A run whose process died has not stopped, and is resumed.
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

/** 130 bits in the alphabet of all other ids. */
function idOfKey(userName: string, key: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([userName, key]))
    .digest()
  return Array.from(bytes.subarray(0, 26), (byte) => letters[byte % letters.length]).join('')
}

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** @throws {Problem} with its last output if the process ended before the run started */
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

/** Interrupts the run's process like Ctrl-C, or else pauses its goal. `stopped`: it had already stopped. */
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
    // A second Ctrl-C would end it abruptly, which a repeated cancel does not ask for.
    const signalled = `${runId} ${holder.processId} ${holder.processStart}`
    if (!interrupted.has(signalled)) process.kill(holder.processId, 'SIGINT')
    interrupted.add(signalled)
    return 'interrupted'
  }
  await goalControl(store).change(runId, { kind: 'paused', reason }, { by })
  return 'paused'
}

/** The run's process on this machine, identified by its start time, because ids are reused. */
async function livingHolder(store: Store, runId: string): Promise<LeaseHolder | undefined> {
  const holder = (await store.leaseOf(`run ${runId}`))?.holder
  return holder !== undefined && holder.processStart !== null && isAlive(holder) === 'alive'
    ? holder
    : undefined
}
