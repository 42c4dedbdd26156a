import type { DriveFailure } from '../../events/index.ts'

/** First wait after a failure that may pass; doubled for every further one. */
const firstDelayMs = 500
const maxDelayMs = 30_000

/** Exponential back-off without jitter (a decision is deterministic, I11); what the provider asks for goes first. */
export function retryDelayMs(failedAttempts: number, failure: DriveFailure): number {
  if (failure.kind === 'interrupted') return 0
  return failure.retryAfterMs ?? Math.min(maxDelayMs, firstDelayMs * 2 ** (failedAttempts - 1))
}
