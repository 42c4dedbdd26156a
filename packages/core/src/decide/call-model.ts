import type { RunState } from '../events/index.ts'
import { affordableOutputTokens, deadlineOf } from './caps/index.ts'
import type { Decision } from './decision.ts'
import { retryDelayMs } from './retry-delay.ts'

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
