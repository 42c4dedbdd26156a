/** What the caps leave for the next step: time, and tokens of a reply (I9). */
import { estimateTokens, type Amount, type Caps } from '../../budgets/index.ts'
import type { EpochMs } from '../../events/index.ts'
import type { RunState } from '../../state/index.ts'
import { leftUnder } from './amounts.ts'
import { capsInForce } from './part-budget.ts'
import {
  fitsWindow,
  lastCheckMs,
  smallestReplyTokens,
  stepTokens,
  worstCostUsd,
  finalSummaryCalls,
  type StepTokens,
} from './next-step.ts'

/** When an effect that starts now must be aborted; null without a cap on the wall clock. */
export function deadlineOf(state: RunState): EpochMs | null {
  const leftMs = leftUnder(state, 'wallClockMs', capsInForce(state))
  return leftMs === Infinity ? null : state.nowMs + Math.max(0, leftMs - lastCheckMs(state))
}

/** Upper bound of the next reply under the caps on tokens and cost. */
export function affordableOutputTokens(state: RunState): number {
  const bound = replyBound(state, capsInForce(state), stepTokens(state, 0), finalSummaryCalls(state) === 1)
  return Math.max(smallestReplyTokens, Math.floor(bound))
}

/**
 * Upper bound of the reply of a final summary call that would be made now. Undefined: even that does not fit under the caps, so
 * there is no final summary.
 * @param notice what the drive is told with it
 */
export function affordableFinalSummaryTokens(state: RunState, notice: string): number | undefined {
  const { settings, consumption } = state
  const prompt = fitsWindow(state, state.promptTokens + estimateTokens(notice))
  const fits =
    leftUnder(state, 'modelCalls') >= 1 &&
    !(settings.caps.maxCostUsd !== null && consumption.costUsd === null)
  if (!fits) return undefined
  // It belongs to the run, not to the part that was worked at.
  const fixed = { inputTokens: prompt, outputTokens: 0 }
  const bound = replyBound(state, settings.caps, fixed, false)
  const most = Math.floor(Math.min(settings.finalSummaryTokens, bound))
  return most < Math.min(smallestReplyTokens, settings.finalSummaryTokens) ? undefined : most
}

/**
 * How many output tokens the drive's own bound and the caps leave beside what is needed in any case.
 * @param isRead the reply is read once more, as a part of the final summary's prompt: it costs input too
 */
function replyBound(state: RunState, caps: Caps, fixed: StepTokens, isRead: boolean): number {
  const { prices, reportsUsage, maxOutputTokens } = state.drive
  const { inputTokens, outputTokens } = fixed
  const left = (amount: Amount, needed: number) => leftUnder(state, amount, caps) - needed
  const bounds = [maxOutputTokens]
  if (reportsUsage) bounds.push(left('tokens', inputTokens + outputTokens) / (isRead ? 2 : 1))
  const tokenUsd = prices === null ? 0 : worstCostUsd(isRead ? 1 : 0, 1, prices)
  if (prices !== null && tokenUsd > 0)
    bounds.push(left('costUsd', worstCostUsd(inputTokens, outputTokens, prices)) / tokenUsd)
  return Math.min(...bounds)
}
