/** The end of a turn: what is counted over turns. */
import type { FactOf } from '../../events/index.ts'
import type { RunState } from '../state.ts'
import { estimateTokens } from '../../budgets/index.ts'

export function turnEnded(state: RunState, { feedback, transition }: FactOf<'turn-ended'>): RunState {
  const everyCallRefused = state.tally.called === 0 && state.tally.refused > 0
  return {
    ...state,
    turnOpen: false,
    advice: [],
    phase: { kind: 'idle' },
    promptTokens: state.promptTokens + estimateTokens(feedback ?? ''),
    refusedTurns: everyCallRefused ? state.refusedTurns + 1 : 0,
    unchangedClaims: state.tally.claimed ? state.unchangedClaims + 1 : 0,
    blockedStops: transition.reason === 'verifier_feedback' ? countBlockedStops(state) : state.blockedStops,
  }
}

/**
 * Only a better score than ever begins the count anew. Other open checks do not: who breaks one to mend the other could go on for
 * ever, and which of two red checks is asked first may be chance.
 */
function countBlockedStops({ blockedStops, activity }: RunState): number {
  return activity.verifications.at(-1)?.isBest === true ? 1 : blockedStops + 1
}
