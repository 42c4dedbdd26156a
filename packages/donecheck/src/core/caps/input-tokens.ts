import type { Rule } from '../rule.ts'
import { capFinding } from './cap.ts'
import { smallestStep } from './reserve.ts'
import { needsTokens } from './tokens.ts'
import { usedOf } from './used.ts'

/** Input that did not come from a cache. At worst nothing of the next prompt does: all of it is reserved. */
export const uncachedInputCap: Rule = (state) => {
  const limit = state.settings.caps.maxUncachedInputTokens
  const used = usedOf(state, 'uncachedInputTokens')
  const isReached = limit !== null && needsTokens(state) && limit - used < smallestStep(state).inputTokens
  const text = `${used} of ${limit} uncached input tokens`
  return capFinding(state, { cap: 'uncached_input_tokens', limit, used, isReached, text })
}

/** Input that came from a cache. At worst all of the next prompt does. */
export const cachedInputCap: Rule = (state) => {
  const limit = state.settings.caps.maxCachedInputTokens
  const used = usedOf(state, 'cachedInputTokens')
  const isReached = limit !== null && needsTokens(state) && limit - used < smallestStep(state).inputTokens
  const text = `${used} of ${limit} cached input tokens`
  return capFinding(state, { cap: 'cached_input_tokens', limit, used, isReached, text })
}
