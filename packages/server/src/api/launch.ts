import { createHash } from 'node:crypto'
import { canonicalJson } from '@donecheck/core/internal/base'
import { sha256 } from '@donecheck/engine/internal/base'
import { sortableIds, systemClock } from '@donecheck/engine/internal/loop/run'
import { createWakeSignal } from '../live/index.ts'
import type { LaunchedRun, StartRequest, TopUpRequest } from './launcher.ts'
import { Problem } from './shapes.ts'
import { requireSummary, type Workplace } from './workplace.ts'
import { goalControl } from '@donecheck/engine/internal/loop/compose'
import { isAlive } from '@donecheck/engine/internal/system/process'
import type { LeaseHolder, Store } from '@donecheck/engine/internal/ports/store'

/** How long to wait for a process to start its run; a slower one continues on its own. */
const patienceMs = 60_000
/** For a queued run, long enough to learn that it can never start. */
const queuedPatienceMs = 5_000

/** @param key the same key and user give the same run id, even after a restart */
export async function startRun(
  workplace: Workplace,
  request: StartRequest,
  userName: string,
  key: string | undefined,
): Promise<string> {
  const { launcher } = workplace
  if (launcher === null) throw readOnly()
  if (key === undefined) {
    const runId = sortableIds(systemClock).next()
    await waitUntilStarted(workplace, runId, 0, await launcher.start(runId, request))
    return runId
  }
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw new Problem('invalid-request', 'Idempotency-Key must have 1 to 200 visible characters')
  const runId = deriveRunId(userName, key)
  const { store } = workplace
  const digest = sha256(canonicalJson(request))
  await workplace.once(runId, async () => {
    if ((await store.readAfter(runId, 0, 1)).length > 0) return
    // For comparison with later requests of this key. The text may hold secrets, so only its digest is

    await store.attach(runId, { digest, content: '' })
    await waitUntilStarted(workplace, runId, 0, await launcher.start(runId, request))
  })
  if ((await store.attachment(runId, digest)) === undefined)
    throw new Problem('conflict', `Idempotency-Key ${key} was used for a different request. Use a new key.`)
  return runId
}

export async function resumeRun(workplace: Workplace, runId: string, topUp: TopUpRequest): Promise<void> {
  const { launcher, store } = workplace
  if (launcher === null) throw readOnly()
  const { events, reason } = await requireSummary(store, runId)
  // A run whose process died has not stopped, and is resumed.
  if (reason === undefined && (await findLiveHolder(store, runId)) !== undefined)
    throw new Problem('conflict', `Run ${runId} is still active. Cancel it first, or wait until it stops.`)
  const isFirst = await workplace.once(runId, async () =>
    waitUntilStarted(workplace, runId, events, await launcher.resume(runId, topUp)),
  )
  if (!isFirst) throw new Problem('conflict', `Run ${runId} was just resumed by another request.`)
}

function readOnly(): Problem {
  return new Problem('forbidden', 'This service is read-only. Start runs with: donecheck serve')
}

/** Returns 130 bits in the alphabet of all other ids. */
function deriveRunId(userName: string, key: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([userName, key]))
    .digest()
  return Array.from(bytes.subarray(0, 26), (byte) => alphabet[byte % alphabet.length]).join('')
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** @throws {Problem} with its last output if the process ended before the run started */
async function waitUntilStarted(
  workplace: Workplace,
  runId: string,
  lastSequence: number,
  { ended, isQueued }: LaunchedRun,
): Promise<void> {
  const closing = new AbortController()
  const wakeSignal = createWakeSignal(closing.signal)
  const stop = await workplace.changes.listen(wakeSignal.wake)
  let message: string | undefined
  ended.then(
    (lastOutput) => {
      message = lastOutput
      wakeSignal.wake()
    },
    () => undefined,
  )
  try {
    const untilMs = workplace.nowMs() + (isQueued === true ? queuedPatienceMs : patienceMs)
    while (workplace.nowMs() < untilMs) {
      const hasEnded = message !== undefined
      if ((await workplace.store.readAfter(runId, lastSequence, 1)).length > 0) return
      if (hasEnded) throw new Problem('refused', message ?? '')
      await wakeSignal.waitForWake(1000)
    }
  } finally {
    stop()
    closing.abort()
  }
}

/** Interrupts the run's process like Ctrl-C, or pauses its goal if no process is found. */
export async function cancelRun(
  { store, interrupted, launcher }: Workplace,
  runId: string,
  by: string,
  reason = `cancelled by ${by}`,
): Promise<'interrupted' | 'paused' | 'stopped'> {
  const { reason: ended } = await requireSummary(store, runId)
  if (ended !== undefined) return 'stopped'
  if (launcher?.cancel !== undefined) {
    await launcher.cancel(runId, by)
    return 'interrupted'
  }
  const holder = await findLiveHolder(store, runId)
  if (holder !== undefined) {
    // A second Ctrl-C would kill the run; repeating a cancel must not.
    const signalled = `${runId} ${holder.processId} ${holder.processStart}`
    if (!interrupted.has(signalled)) process.kill(holder.processId, 'SIGINT')
    interrupted.add(signalled)
    return 'interrupted'
  }
  await goalControl(store).change(runId, { kind: 'paused', reason }, { by })
  return 'paused'
}

/** Finds the run's process on this machine by its start time too, because process ids are reused. */
async function findLiveHolder(store: Store, runId: string): Promise<LeaseHolder | undefined> {
  const holder = (await store.leaseOf(`run ${runId}`))?.holder
  return holder !== undefined && holder.processStart !== null && isAlive(holder) === 'alive'
    ? holder
    : undefined
}
