import type { Rule } from '../../state/index.ts'
import { capFinding, nextNeed } from './cap.ts'

/**
 * Times in a row that a stop of the drive was blocked and came to no better score. Only verified progress gives it more: a drive that is
 * busy, or that only says that it is done, cannot hold itself alive.
 */
export const blockedStopsCap: Rule = (state) => {
  const limit = state.settings.caps.maxBlockedStops
  const times = state.blockedStops
  // What was said at the end of the last turn has not been handed over yet.
  const isReached = limit !== null && nextNeed(state) === 'a turn' && !state.turnOpen && times > limit
  const used = Math.min(times, limit ?? times)
  const text = `stop blocked ${used} of ${limit} times without a better score than ever`
  return capFinding(state, { cap: 'blocked_stops', limit, used, isReached, text })
}
