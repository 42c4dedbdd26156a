import type { EpochMs } from '@donecheck/core/events'
import type { Clock } from '../../../ports/loop.ts'

/** Node's timers cannot wait longer. */
const maxTimerMs = 2_147_483_647

/** Aborts with the user's interrupt, or at the wall-clock cap: the cap ends an effect in flight (I9). */
export function effectSignal(user: AbortSignal, deadlineMs: EpochMs | null, clock: Clock): AbortSignal {
  if (deadlineMs === null) return user
  const leftMs = Math.min(maxTimerMs, Math.max(0, deadlineMs - clock.nowMs()))
  return AbortSignal.any([user, AbortSignal.timeout(leftMs)])
}

/** Asked anew each time: it changes while something is waited for. */
export function isAborted(signal: AbortSignal): boolean {
  return signal.aborted
}
