/** The budget of a sub-run, cut out of what is left of its parent's. */
import type { RunState } from '../../state/index.ts'
import { amounts, capTable, capWords, isWhole, withBounds } from '../../budgets/index.ts'
import type { CapName, Caps } from '../../budgets/index.ts'
import { reservationOf, toolCallCountOf, spendingOf } from './amounts.ts'
import { capsInForce } from './part-budget.ts'

export type Carve =
  | { readonly kind: 'carved'; readonly caps: Caps }
  /** Nothing is left of it beside what the parent needs itself. */
  | { readonly kind: 'too-little'; readonly cap: CapName; readonly message: string }

/** What is left under each cap when the parent's own next step, its final summary and its last check are kept back. Never below 0. */
export function capsLeft(state: RunState, subGoalId?: string): Caps {
  const caps = capsInForce(state, subGoalId)
  const calls = Object.entries(caps.maxCallsPerTool).map(
    ([tool, limit]) => [tool, Math.max(0, limit - toolCallCountOf(state, tool))] as const,
  )
  return {
    ...withBounds(caps, (amount, limit) =>
      Math.max(0, limit - spendingOf(state, amount) - reservationOf(state, amount)),
    ),
    maxCallsPerTool: Object.fromEntries(calls),
  }
}

/**
 * @param atMost what the sub-run is to have; an absent or null bound takes all that is left
 * @param subGoalId the part of the goal that it works at, out of whose budget it is paid
 * @param among so many sub-runs, of which this is the first: each has an equal share of what is left
 */
export function carve(state: RunState, atMost: Partial<Caps> = {}, subGoalId?: string, among = 1): Carve {
  const left = shareOf(capsLeft(state, subGoalId), among)
  const bounds = amounts.map((amount) => {
    const { field, cap } = capTable[amount]
    return { field, cap, bound: smaller(left[field], atMost[field] ?? null) }
  })
  const empty = bounds.find(({ bound }) => bound !== null && bound <= 0)
  if (empty !== undefined)
    return {
      kind: 'too-little',
      cap: empty.cap,
      message: `nothing is left for a sub-run under the cap on ${capWords(empty.cap)}`,
    }
  const caps = Object.fromEntries(bounds.map(({ field, bound }) => [field, bound]))
  return {
    kind: 'carved',
    caps: { ...left, ...caps, maxCallsPerTool: smallerCounts(left.maxCallsPerTool, atMost.maxCallsPerTool) },
  }
}

/** Sub-runs that are at work at the same time share no clock: each may have all that is left of it. */
function shareOf(left: Caps, among: number): Caps {
  const calls = Object.entries(left.maxCallsPerTool).map(
    ([tool, count]) => [tool, Math.floor(count / among)] as const,
  )
  const shared = withBounds(left, (amount, bound) => {
    if (amount === 'wallClockMs') return bound
    return isWhole(amount) ? Math.floor(bound / among) : bound / among
  })
  return { ...shared, maxCallsPerTool: Object.fromEntries(calls) }
}

function smaller(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}

function smallerCounts(left: Caps['maxCallsPerTool'], wanted: Caps['maxCallsPerTool'] = {}) {
  const shared = Object.entries(left).map(([tool, count]) => {
    const bound = Object.hasOwn(wanted, tool) ? wanted[tool] : undefined
    return [tool, Math.min(count, bound ?? count)] as const
  })
  return { ...wanted, ...Object.fromEntries(shared) }
}
