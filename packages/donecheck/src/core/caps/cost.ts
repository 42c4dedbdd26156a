import type { Finding, RunState } from '../../events/index.ts'
import type { Rule } from '../rule.ts'
import { capFinding, nextNeed } from './cap.ts'
import { costOf } from '../cost.ts'
import { expectedPromptTokens, smallestReplyTokens } from './reserve.ts'

/** Money, at known prices. The price of the next prompt and of the smallest useful reply is reserved before the call. */
export const costCap: Rule = (state) => {
  const limit = state.settings.caps.maxCostUsd
  const used = state.consumption.costUsd
  const { prices } = state.drive
  if (limit === null || prices === null) return undefined
  const need = nextNeed(state)
  if (used === null) return costUnknown(state, limit)
  const nextUsd = costOf(
    { inputTokens: expectedPromptTokens(state), outputTokens: smallestReplyTokens },
    prices,
  )
  const isReached = (need === 'a turn' || need === 'a model call') && used + nextUsd > limit
  const text = `$${used.toFixed(4)} of $${limit}`
  return capFinding(state, { cap: 'cost', limit, used, isReached, text })
}

/** A call without usage may have cost anything: the cap cannot be kept, so it is reached. */
function costUnknown(state: RunState, limit: number): Finding | undefined {
  const isReached = nextNeed(state) !== 'nothing'
  const text = `unknown cost (${state.consumption.callsWithoutUsage} calls without usage) of $${limit}`
  return isReached ? capFinding(state, { cap: 'cost', limit, used: 0, isReached, text }) : undefined
}
