/** Stops waiting for a port that does not react to an abort. */
import { messageOf } from '../../../base/index.ts'
import type { EpochMs } from '@donecheck/core/internal/events'
import type { Clock } from '../../../ports/loop.ts'

const graceMs = 10_000

type Settled<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  | { readonly kind: 'threw'; readonly message: string }
  | { readonly kind: 'abandoned' }

interface Bounds {
  readonly signal: AbortSignal
  /** Limit that applies without an abort, too. Default: none. */
  readonly maxMs?: number
}

export async function settleWithin<Value>(
  ask: () => Promise<Value>,
  { signal, maxMs }: Bounds,
): Promise<Settled<Value>> {
  const given = Promise.withResolvers<Settled<Value>>()
  const giveUp = () => given.resolve({ kind: 'abandoned' })
  const timers: NodeJS.Timeout[] = []
  const after = (ms: number) => timers.push(setTimeout(giveUp, ms))
  const onAbort = () => after(graceMs)
  if (maxMs !== undefined) after(maxMs)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([given.promise, settleAnswer(ask)])
  } finally {
    signal.removeEventListener('abort', onAbort)
    for (const timer of timers) clearTimeout(timer)
  }
}

async function settleAnswer<Value>(ask: () => Promise<Value>): Promise<Settled<Value>> {
  try {
    return { kind: 'answered', value: await ask() }
  } catch (error) {
    return { kind: 'threw', message: messageOf(error) }
  }
}

/** Node's timers cannot wait longer. */
const maxTimerMs = 2_147_483_647

/** Aborts on the user's interrupt, or at the wall-clock cap (I9). */
export function effectSignal(user: AbortSignal, deadlineMs: EpochMs | null, clock: Clock): AbortSignal {
  if (deadlineMs === null) return user
  const leftMs = Math.min(maxTimerMs, Math.max(0, deadlineMs - clock.nowMs()))
  return AbortSignal.any([user, AbortSignal.timeout(leftMs)])
}

/** A function, because the value changes during awaits. */
export function isAborted(signal: AbortSignal): boolean {
  return signal.aborted
}
