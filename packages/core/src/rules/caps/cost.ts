import type { Finding } from '../../events/index.ts'
import type { RunState, Rule } from '../../state/index.ts'
import { reservationOf, spendingOf } from './amounts.ts'
import { capFinding, nextNeed } from './cap.ts'

/**
 * Money, at known prices. The price of the next prompt and of the smallest useful reply is reserved before the call. Of an agent
 * that only tells what it has cost nothing can be reserved: the cap is reached when it is used up.
 */
export const costCap: Rule = (state) => {
  const limit = state.settings.caps.maxCostUsd
  const { prices, reportsCost } = state.drive
  if (limit === null || (prices === null && reportsCost !== true)) return undefined
  const need = nextNeed(state)
  if (state.consumption.costUsd === null) return costUnknown(state, limit)
  const used = spendingOf(state, 'costUsd')
  const isNext = need === 'a turn' || need === 'a model call'
  const isReached =
    isNext && (prices === null ? used >= limit : used + reservationOf(state, 'costUsd') > limit)
  const text = `$${used.toFixed(4)} of $${limit}`
  return capFinding(state, { cap: 'cost', limit, used, isReached, text })
}

/** A call without usage may have cost anything: the cap cannot be kept, so it is reached. */
function costUnknown(state: RunState, limit: number): Finding | undefined {
  const isReached = nextNeed(state) !== 'nothing'
  const text = `unknown cost (${state.consumption.callsWithoutUsage} calls without usage) of $${limit}`
  return isReached ? capFinding(state, { cap: 'cost', limit, used: 0, isReached, text }) : undefined
}
