import {
  estimateTokens,
  type Amount,
  type Caps,
  amounts,
  capTable,
  capWords,
  isWhole,
  withBounds,
  type CapName,
} from '../../budgets/index.ts'
import type { EpochMs } from '../../events/index.ts'
import type { RunState } from '../../state/index.ts'
import {
  leftUnder,
  fitsWindow,
  lastCheckMs,
  smallestReplyTokens,
  stepTokens,
  worstCostUsd,
  finalSummaryCalls,
  type StepTokens,
  reservationOf,
  toolCallCountOf,
  spendingOf,
} from './amounts.ts'
import { capsInForce } from './part-budget.ts'

/** When an effect that starts now is aborted; null without a wall-clock cap. */
export function deadlineOf(state: RunState): EpochMs | null {
  const leftMs = leftUnder(state, 'wallClockMs', capsInForce(state))
  return leftMs === Infinity ? null : state.nowMs + Math.max(0, leftMs - lastCheckMs(state))
}

export function affordableOutputTokens(state: RunState): number {
  const bound = replyBound(state, capsInForce(state), stepTokens(state, 0), finalSummaryCalls(state) === 1)
  return Math.max(smallestReplyTokens, Math.floor(bound))
}

/** Undefined if no summary fits under the caps. @param notice the request sent to the agent */
export function affordableFinalSummaryTokens(state: RunState, notice: string): number | undefined {
  const { settings, consumption } = state
  const prompt = fitsWindow(state, state.promptTokens + estimateTokens(notice))
  const fits =
    leftUnder(state, 'modelCalls') >= 1 &&
    !(settings.caps.maxCostUsd !== null && consumption.costUsd === null)
  if (!fits) return undefined
  // It is charged to the run, not to the active part.
  const fixed = { inputTokens: prompt, outputTokens: 0 }
  const bound = replyBound(state, settings.caps, fixed, false)
  const most = Math.floor(Math.min(settings.finalSummaryTokens, bound))
  return most < Math.min(smallestReplyTokens, settings.finalSummaryTokens) ? undefined : most
}

/** @param isRead the reply is read again in the final summary's prompt, which costs input */
function replyBound(state: RunState, caps: Caps, fixed: StepTokens, isRead: boolean): number {
  const { prices, reportsUsage, maxOutputTokens } = state.agent
  const { inputTokens, outputTokens } = fixed
  const left = (amount: Amount, needed: number) => leftUnder(state, amount, caps) - needed
  const bounds = [maxOutputTokens]
  if (reportsUsage) bounds.push(left('tokens', inputTokens + outputTokens) / (isRead ? 2 : 1))
  const tokenUsd = prices === null ? 0 : worstCostUsd(isRead ? 1 : 0, 1, prices)
  if (prices !== null && tokenUsd > 0)
    bounds.push(left('costUsd', worstCostUsd(inputTokens, outputTokens, prices)) / tokenUsd)
  return Math.min(...bounds)
}

type Allocate =
  | { readonly kind: 'allocated'; readonly caps: Caps }
  /** Nothing remains beyond what the parent needs. */
  | { readonly kind: 'too-little'; readonly cap: CapName; readonly message: string }

/** What each cap leaves after reserving the parent's next step, final summary and last check. At least 0. */
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
 * @param atMost limits of the sub-run; an absent or null limit takes all that is left
 * @param subGoalId the part of the goal that pays
 * @param among number of sub-runs that share what is left equally, this one first
 */
export function allocate(
  state: RunState,
  atMost: Partial<Caps> = {},
  subGoalId?: string,
  among = 1,
): Allocate {
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
    kind: 'allocated',
    caps: { ...left, ...caps, maxCallsPerTool: smallerCounts(left.maxCallsPerTool, atMost.maxCallsPerTool) },
  }
}

/** Parallel sub-runs do not divide time: each may use all that is left. */
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
