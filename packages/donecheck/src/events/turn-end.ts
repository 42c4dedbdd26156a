/** The end of a turn: what is counted over turns. */
import type { TurnEnded } from './event.ts'
import type { RunState } from './state.ts'
import { estimateTokens } from './tokens.ts'

export function turnEnded(state: RunState, { feedback, transition }: TurnEnded): RunState {
  const everyCallRefused = state.tally.called === 0 && state.tally.refused > 0
  return {
    ...state,
    turnOpen: false,
    advice: [],
    phase: { kind: 'idle' },
    promptTokens: state.promptTokens + estimateTokens(feedback ?? ''),
    refusedTurns: everyCallRefused ? state.refusedTurns + 1 : 0,
    unchangedClaims: state.tally.claimed ? state.unchangedClaims + 1 : 0,
    sendBacks: transition.reason === 'verifier_feedback' ? sentBack(state) : state.sendBacks,
  }
}

/** Only a better score, or other checks that stand open, begin the count anew: what the drive does or says does not. */
function sentBack({ sendBacks, activity }: RunState): RunState['sendBacks'] {
  const newest = activity.verifications.at(-1)
  const cause = newest?.checks.join('\n') ?? ''
  const isNew = cause !== sendBacks.cause || newest?.isBest === true
  return { times: isNew ? 1 : sendBacks.times + 1, cause }
}
