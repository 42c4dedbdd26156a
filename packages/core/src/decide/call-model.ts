import type { RunState } from '../state/index.ts'
import { affordableOutputTokens, deadlineOf, retryDelayMs } from '../rules/caps/index.ts'
import type { Decision } from './decision.ts'

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
