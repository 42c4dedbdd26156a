import type { Rule } from '../rule.ts'
import { capFinding, nextNeed } from './cap.ts'
import { usedOf } from './used.ts'

/** Turns begun. */
export const iterationsCap: Rule = (state) => {
  const limit = state.settings.caps.maxIterations
  const used = usedOf(state, 'iterations')
  const isReached = limit !== null && nextNeed(state) === 'a turn' && used >= limit
  return capFinding(state, {
    cap: 'iterations',
    limit,
    used,
    isReached,
    text: `${used} of ${limit} iterations`,
  })
}
