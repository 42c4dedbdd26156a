import type { Rule } from '../rule.ts'
import { capFinding, nextNeed } from './cap.ts'
import { lastCheckMs, lastCheckWords } from './time.ts'
import { usedOf } from './used.ts'

/** Time in model calls, tools and checks; sleep, back-off and questions to people do not count. */
export const workingTimeCap: Rule = (state) => {
  const limit = state.settings.caps.maxWorkingMs
  const used = usedOf(state, 'workingMs')
  const isReached = limit !== null && nextNeed(state) !== 'nothing' && used + lastCheckMs(state) >= limit
  const kept = isReached ? lastCheckWords(state) : ''
  const text = `${(used / 1000).toFixed(1)} of ${(limit ?? 0) / 1000} s of work${kept}`
  return capFinding(state, { cap: 'working_time', limit, used, isReached, text })
}
