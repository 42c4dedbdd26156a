import type { RunState } from '../../state/index.ts'
import type { StopCandidate } from '../stops/index.ts'

/** So many turns in a row the drive must have reported the same blocker. */
const blockedTurns = 3

/** Said once it is no mood: the same blocker in several turns in a row. */
export function blockerCandidate({ goal }: RunState): StopCandidate | undefined {
  const { blocker } = goal
  if (blocker?.isReported !== true || blocker.turns < blockedTurns) return undefined
  return {
    reason: 'blocked',
    message: `the drive is blocked: ${blocker.text} (${blocker.turns} turns in a row)`,
  }
}
