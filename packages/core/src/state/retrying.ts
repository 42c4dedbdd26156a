/** When a refused call is made again, and what is known of the refusals in a row. */
import type { DriveFailure, EpochMs } from '../events/index.ts'

/** First wait after a failure that may pass; doubled for each further one. */
const firstDelayMs = 500
const maxDelayMs = 30_000
/** Clocks differ: a limit is asked about a moment after it resets. */
const marginMs = 1000

export interface Retrying {
  readonly kind: 'retrying'
  /** Calls of this turn that failed. */
  readonly attempt: number
  readonly failure: DriveFailure
  /** Time of the first failure in a row. */
  readonly refusedSinceMs: EpochMs
  /** Time of the next call. */
  readonly untilMs: EpochMs
  readonly wait: 'due' | 'started' | 'over'
}

/** Doubles the wait for each failure, without jitter: a decision is deterministic (I11). The provider's own word goes first. */
export function retryDelayMs(attempt: number, { retryAfterMs }: Pick<DriveFailure, 'retryAfterMs'>): number {
  return retryAfterMs ?? Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1))
}

/**
 * @param before the refusals in a row that this failure continues, and the number of the call that failed
 * @param durationMs of the call: an agent has asked an address that does not answer several times in it
 */
export function retryAfterFailure(
  failure: DriveFailure,
  before: { readonly attempt: number; readonly refusedSinceMs: EpochMs | undefined },
  { timeMs: nowMs, durationMs = 0 }: { readonly timeMs: EpochMs; readonly durationMs?: number },
): Retrying {
  const startedMs = failure.kind === 'network' ? nowMs - durationMs : nowMs
  const refusedSinceMs = before.refusedSinceMs ?? startedMs
  const retrying = { kind: 'retrying' as const, failure, refusedSinceMs }
  // A call that we broke off ourselves says nothing about the provider: it is not one of its failures.
  if (failure.kind === 'interrupted')
    return { ...retrying, attempt: before.attempt - 1, untilMs: nowMs, wait: 'over' }
  const untilMs =
    failure.resetsAtMs === undefined
      ? nowMs + retryDelayMs(before.attempt, failure)
      : Math.max(nowMs, failure.resetsAtMs) + marginMs
  return { ...retrying, attempt: before.attempt, untilMs, wait: 'due' }
}

/**
 * Whoever resumes a run that waits waits until the same time, and records it anew. The time in which no process worked at the
 * run counts against no limit.
 */
export function retryAfterResume(retrying: Retrying, nowMs: EpochMs): Retrying {
  if (retrying.untilMs <= nowMs) return { ...retrying, refusedSinceMs: nowMs, wait: 'over' }
  return retrying.wait === 'started' ? { ...retrying, wait: 'due' } : retrying
}
