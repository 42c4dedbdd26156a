import type { RunState } from '../../events/index.ts'
import type { Rule } from '../rule.ts'
import { capFinding, nextNeed } from './cap.ts'
import { smallestStep } from './reserve.ts'
import { usedOf } from './used.ts'

/** Input and output tokens. The next prompt and the smallest useful reply are reserved before the call. */
export const tokensCap: Rule = (state) => {
  const limit = state.settings.caps.maxTokens
  const used = usedOf(state, 'tokens')
  const { inputTokens, outputTokens } = smallestStep(state)
  const isReached = limit !== null && needsTokens(state) && limit - used < inputTokens + outputTokens
  return capFinding(state, { cap: 'tokens', limit, used, isReached, text: `${used} of ${limit} tokens` })
}

/** A drive that cannot report its usage is not held by tokens; the run says so at its start. */
export function needsTokens(state: RunState): boolean {
  const need = nextNeed(state)
  return state.drive.reportsUsage && (need === 'a turn' || need === 'a model call')
}
