import type { Rule } from '../rule.ts'
import { capFinding, nextNeed } from './cap.ts'

/**
 * Times in a row that the drive was sent back and came to no better score. Only verified progress gives it more: a drive that is
 * busy, or that only says that it is done, cannot hold itself alive.
 */
export const sendBacksCap: Rule = (state) => {
  const limit = state.settings.caps.maxSendBacks
  const times = state.sendBacks
  // What was said at the end of the last turn has not been handed over yet.
  const isReached = limit !== null && nextNeed(state) === 'a turn' && !state.turnOpen && times > limit
  const used = Math.min(times, limit ?? times)
  const text = `sent back ${used} of ${limit} times without a better score than ever`
  return capFinding(state, { cap: 'send_backs', limit, used, isReached, text })
}
