/** Every cap on the run as a rule: the next step is reserved before it is made, so that a limit is never exceeded (I9). */
import { capTable, nounOf, type Amount } from '../../budgets/index.ts'
import type { Finding } from '../../events/index.ts'
import type { Rule, RunState } from '../../state/index.ts'
import { reservationOf, spendingOf } from './amounts.ts'
import { callsPerToolCap } from './calls-per-tool.ts'
import { capFinding, nextNeed } from './cap.ts'
import { lastCheckMs } from './next-step.ts'
import { partBudgets } from './part-budget.ts'

/** A cap on what is counted. */
function countedCap(amount: Amount): Rule {
  const { cap, field } = capTable[amount]
  return (state) => {
    const limit = state.settings.caps[field]
    const used = spendingOf(state, amount)
    const left = (limit ?? Number.POSITIVE_INFINITY) - used
    const isReached = isNext(state, amount) && left < Math.max(1, reservationOf(state, amount))
    const noun = nounOf(amount)
    const reached = `${noun} limit reached (${used} of ${limit})`
    return capFinding(state, { cap, limit, used, isReached, text: `${used} of ${limit} ${noun}s`, reached })
  }
}

/** Whether the next step would use of it. A drive that cannot report its usage is not held by tokens; the run says so. */
function isNext(state: RunState, amount: Amount): boolean {
  const need = nextNeed(state)
  if (amount === 'iterations') return need === 'a turn'
  if (amount === 'toolCalls') return need !== 'nothing'
  const isCounted = capTable[amount].kind !== 'tokens' || state.drive.reportsUsage
  return isCounted && (need === 'a turn' || need === 'a model call')
}

/**
 * Money, at known prices. The price of the next prompt and of the smallest useful reply is reserved before the call. Of an agent
 * that only tells what it has cost nothing can be reserved: the cap is reached when it is used up.
 */
const costCap: Rule = (state) => {
  const limit = state.settings.caps.maxCostUsd
  const { prices, reportsCost } = state.drive
  if (limit === null || (prices === null && reportsCost !== true)) return undefined
  const need = nextNeed(state)
  if (state.consumption.costUsd === null) return costUnknown(state, limit)
  const used = spendingOf(state, 'costUsd')
  const isCallNext = need === 'a turn' || need === 'a model call'
  const isReached =
    isCallNext && (prices === null ? used >= limit : used + reservationOf(state, 'costUsd') > limit)
  const text = `$${used.toFixed(4)} of $${limit}`
  return capFinding(state, { cap: 'cost', limit, used, isReached, text })
}

/** A call without usage may have cost anything: the cap cannot be kept, so it is reached. */
function costUnknown(state: RunState, limit: number): Finding | undefined {
  const isReached = nextNeed(state) !== 'nothing'
  const text = `unknown cost (${state.consumption.callsWithoutUsage} calls without usage) of $${limit}`
  return isReached ? capFinding(state, { cap: 'cost', limit, used: 0, isReached, text }) : undefined
}

/** Active time: sleep between a stop and its resume, and waits for a person or a provider, do not count. */
const wallClockCap: Rule = (state) => {
  const limit = state.settings.caps.maxWallClockMs
  const used = spendingOf(state, 'wallClockMs')
  const next = used + lastCheckMs(state)
  const isReached = limit !== null && nextNeed(state) !== 'nothing' && next >= limit
  const kept = isReached ? lastCheckWords(state) : ''
  const text = `${(used / 1000).toFixed(1)} of ${(limit ?? 0) / 1000} s${kept}`
  return capFinding(state, { cap: 'wall_clock', limit, used, isReached, text })
}

/** Such as ` (5.0 s are kept for the last check)`. */
function lastCheckWords(state: RunState): string {
  const keptMs = lastCheckMs(state)
  return keptMs === 0 ? '' : ` (${(keptMs / 1000).toFixed(1)} s are kept for the last check)`
}

/**
 * Times in a row that a stop of the drive was blocked and came to no better score. Only verified progress gives it more: a drive that is
 * busy, or that only says that it is done, cannot hold itself alive.
 */
const blockedStopsCap: Rule = (state) => {
  const limit = state.settings.caps.maxBlockedStops
  const times = state.blockedStops
  // What was said at the end of the last turn has not been handed over yet.
  const isReached = limit !== null && nextNeed(state) === 'a turn' && !state.turnOpen && times > limit
  const used = Math.min(times, limit ?? times)
  const text = `stop blocked ${used} of ${limit} times without a better score than ever`
  return capFinding(state, { cap: 'blocked_stops', limit, used, isReached, text })
}

export const hardCaps: readonly Rule[] = [
  countedCap('iterations'),
  countedCap('modelCalls'),
  countedCap('toolCalls'),
  callsPerToolCap,
  countedCap('tokens'),
  costCap,
  wallClockCap,
  blockedStopsCap,
  partBudgets,
]
