import type { Rule } from '../rule.ts'
import { capFinding, nextNeed } from './cap.ts'

/** Model calls announced: retries and failures count. */
export const modelCallsCap: Rule = (state) => {
  const limit = state.settings.caps.maxModelCalls
  const used = state.consumption.modelCalls
  const need = nextNeed(state)
  const isReached = limit !== null && (need === 'a turn' || need === 'a model call') && used >= limit
  return capFinding(state, {
    cap: 'model_calls',
    limit,
    used,
    isReached,
    text: `${used} of ${limit} model calls`,
  })
}
