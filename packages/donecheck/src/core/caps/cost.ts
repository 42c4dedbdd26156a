import type { Finding, RunState } from '../../events/index.ts'
import type { Rule } from '../rule.ts'
import { capFinding, nextNeed } from './cap.ts'
import { smallestStep, worstCostUsd } from './reserve.ts'
import { usedOf } from './used.ts'

/** Money, at known prices. The price of the next prompt and of the smallest useful reply is reserved before the call. */
export const costCap: Rule = (state) => {
  const limit = state.settings.caps.maxCostUsd
  const { prices } = state.drive
  if (limit === null || prices === null) return undefined
  const need = nextNeed(state)
  if (state.consumption.costUsd === null) return costUnknown(state, limit)
  const used = usedOf(state, 'costUsd')
  const { inputTokens, outputTokens } = smallestStep(state)
  const nextUsd = worstCostUsd(inputTokens, outputTokens, prices)
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
