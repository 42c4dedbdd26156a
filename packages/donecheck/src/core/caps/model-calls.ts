import type { Rule } from '../rule.ts'
import { capFinding, nextNeed } from './cap.ts'
import { wrapUpCalls } from './reserve.ts'
import { usedOf } from './used.ts'

/** Model calls announced: retries and failures count. One is kept for the wrap-up, where there is one. */
export const modelCallsCap: Rule = (state) => {
  const limit = state.settings.caps.maxModelCalls
  const used = usedOf(state, 'modelCalls')
  const need = nextNeed(state)
  const isReached =
    limit !== null && (need === 'a turn' || need === 'a model call') && used + wrapUpCalls(state) >= limit
  return capFinding(state, {
    cap: 'model_calls',
    limit,
    used,
    isReached,
    text: `${used} of ${limit} model calls`,
  })
}
