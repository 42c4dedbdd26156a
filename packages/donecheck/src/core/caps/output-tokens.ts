import type { Rule } from '../rule.ts'
import { capFinding } from './cap.ts'
import { smallestStep } from './reserve.ts'
import { needsTokens } from './tokens.ts'
import { usedOf } from './used.ts'

/** Output of all calls. The reply is bounded by what is left, so a call is made as long as a useful reply fits. */
export const outputTokensCap: Rule = (state) => {
  const limit = state.settings.caps.maxTotalOutputTokens
  const used = usedOf(state, 'outputTokens')
  const isReached = limit !== null && needsTokens(state) && limit - used < smallestStep(state).outputTokens
  const text = `${used} of ${limit} output tokens`
  return capFinding(state, { cap: 'output_tokens', limit, used, isReached, text })
}

/** Thoughts. At worst a reply is nothing else, so it is bounded by what is left for them. */
export const reasoningTokensCap: Rule = (state) => {
  const limit = state.settings.caps.maxReasoningTokens
  const used = usedOf(state, 'reasoningTokens')
  const isReached = limit !== null && needsTokens(state) && limit - used < smallestStep(state).outputTokens
  const text = `${used} of ${limit} reasoning tokens`
  return capFinding(state, { cap: 'reasoning_tokens', limit, used, isReached, text })
}
