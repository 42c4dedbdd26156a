import type { AgentFailure, EpochMs } from '../events/index.ts'

/** Doubled for each further failure. */
const firstDelayMs = 500
const maxDelayMs = 30_000
const marginMs = 1000

export interface Retrying {
  readonly kind: 'retrying'
  readonly attempt: number
  readonly failure: AgentFailure
  readonly refusedSinceMs: EpochMs
  readonly untilMs: EpochMs
  readonly wait: 'due' | 'started' | 'over'
}

/** Exponential without jitter: decisions are deterministic (I11). The provider's value wins. */
export function retryDelayMs(attempt: number, { retryAfterMs }: Pick<AgentFailure, 'retryAfterMs'>): number {
  return retryAfterMs ?? Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1))
}

/**
 * @param before the failures in a row that this one continues
 * @param durationMs of the call, during which an agent has retried by itself
 */
export function retryAfterFailure(
  failure: AgentFailure,
  before: { readonly attempt: number; readonly refusedSinceMs: EpochMs | undefined },
  { timeMs: nowMs, durationMs = 0 }: { readonly timeMs: EpochMs; readonly durationMs?: number },
): Retrying {
  const startedMs = failure.kind === 'network' ? nowMs - durationMs : nowMs
  const refusedSinceMs = before.refusedSinceMs ?? startedMs
  const retrying = { kind: 'retrying' as const, failure, refusedSinceMs }
  // We interrupted the call, so it is not the provider's failure.
  if (failure.kind === 'interrupted')
    return { ...retrying, attempt: before.attempt - 1, untilMs: nowMs, wait: 'over' }
  const untilMs =
    failure.resetsAtMs === undefined
      ? nowMs + retryDelayMs(before.attempt, failure)
      : Math.max(nowMs, failure.resetsAtMs) + marginMs
  return { ...retrying, attempt: before.attempt, untilMs, wait: 'due' }
}

/** A resumed run waits until the same time. Time without a process counts against no limit. */
export function retryAfterResume(retrying: Retrying, nowMs: EpochMs): Retrying {
  if (retrying.untilMs <= nowMs) return { ...retrying, refusedSinceMs: nowMs, wait: 'over' }
  return retrying.wait === 'started' ? { ...retrying, wait: 'due' } : retrying
}
