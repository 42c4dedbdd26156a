import type { DriveFailure, RunState } from '../events/index.ts'
import { affordableOutputTokens, deadlineOf } from './caps/index.ts'
import type { Decision } from './decision.ts'

/** First wait after a failure that may pass; doubled for every further one. */
const firstDelayMs = 500
const longestDelayMs = 30_000

/** The next try of this turn after a failure, or the first of the next turn. */
export function callModel(state: RunState): Decision {
  const { phase } = state
  const isRetry = phase.kind === 'retrying'
  return {
    kind: 'call-model',
    turn: isRetry || state.turnOpen ? state.turn : state.turn + 1,
    attempt: isRetry ? phase.attempt + 1 : 1,
    delayMs: isRetry ? retryDelayMs(phase.attempt, phase.failure) : 0,
    maxOutputTokens: affordableOutputTokens(state),
    deadlineMs: deadlineOf(state),
  }
}

/** Exponential back-off without jitter (a decision is deterministic, I11); what the provider asks for goes first. */
export function retryDelayMs(failedAttempts: number, failure: DriveFailure): number {
  if (failure.kind === 'interrupted') return 0
  return failure.retryAfterMs ?? Math.min(longestDelayMs, firstDelayMs * 2 ** (failedAttempts - 1))
}
