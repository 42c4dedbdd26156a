/** What the caps leave for the reply of the next model call (I9). */
import { estimateTokens, type Caps } from '../../budgets/index.ts'
import type { RunState } from '../../state/index.ts'
import { spendingOf } from './amounts.ts'
import { capsInForce } from './part-budget.ts'
import {
  fitsWindow,
  smallestReplyTokens,
  stepTokens,
  worstCostUsd,
  finalSummaryCalls,
  type StepTokens,
} from './next-step.ts'

/** Upper bound of the next reply under the caps on tokens and cost. */
export function affordableOutputTokens(state: RunState): number {
  const bounds = replyBounds(state, capsInForce(state), stepTokens(state, 0), finalSummaryCalls(state) === 1)
  return Math.max(smallestReplyTokens, Math.floor(Math.min(state.drive.maxOutputTokens, ...bounds)))
}

/**
 * Upper bound of the reply of a final summary call that would be made now. Undefined: even that does not fit under the caps, so
 * there is no final summary.
 * @param notice what the drive is told with it
 */
export function affordableFinalSummaryTokens(state: RunState, notice: string): number | undefined {
  const { maxModelCalls, maxUncachedInputTokens, maxCachedInputTokens } = state.settings.caps
  const prompt = fitsWindow(state, state.promptTokens + estimateTokens(notice))
  const hasRoom = (limit: number | null, used: number, more: number) => limit === null || used + more <= limit
  const fits =
    hasRoom(maxModelCalls, spendingOf(state, 'modelCalls'), 1) &&
    (!state.drive.reportsUsage ||
      (hasRoom(maxUncachedInputTokens, spendingOf(state, 'uncachedInputTokens'), prompt) &&
        hasRoom(maxCachedInputTokens, spendingOf(state, 'cachedInputTokens'), prompt))) &&
    !(state.settings.caps.maxCostUsd !== null && state.consumption.costUsd === null)
  if (!fits) return undefined
  // It belongs to the run, not to the part that was worked at.
  const bounds = replyBounds(state, state.settings.caps, { inputTokens: prompt, outputTokens: 0 }, false)
  const { maxOutputTokens } = state.drive
  const bound = Math.floor(Math.min(state.settings.finalSummaryTokens, maxOutputTokens, ...bounds))
  return bound < Math.min(smallestReplyTokens, state.settings.finalSummaryTokens) ? undefined : bound
}

/**
 * How many output tokens each cap leaves beside what is needed in any case.
 * @param isRead the reply is read once more, as a part of the final summary's prompt
 */
function replyBounds(state: RunState, caps: Caps, fixed: StepTokens, isRead: boolean): readonly number[] {
  const { prices, reportsUsage } = state.drive
  const bounds: number[] = []
  if (reportsUsage && caps.maxTokens !== null) {
    const left = caps.maxTokens - spendingOf(state, 'tokens') - fixed.inputTokens - fixed.outputTokens
    bounds.push(isRead ? left / 2 : left)
  }
  if (reportsUsage && caps.maxTotalOutputTokens !== null)
    bounds.push(caps.maxTotalOutputTokens - spendingOf(state, 'outputTokens') - fixed.outputTokens)
  if (reportsUsage && caps.maxReasoningTokens !== null)
    bounds.push(caps.maxReasoningTokens - spendingOf(state, 'reasoningTokens') - fixed.outputTokens)
  if (isRead && reportsUsage) bounds.push(...inputBounds(state, fixed.inputTokens))
  if (caps.maxCostUsd !== null && prices !== null) {
    const leftUsd =
      caps.maxCostUsd -
      spendingOf(state, 'costUsd') -
      worstCostUsd(fixed.inputTokens, fixed.outputTokens, prices)
    const tokenUsd = worstCostUsd(isRead ? 1 : 0, 1, prices)
    if (tokenUsd > 0) bounds.push(leftUsd / tokenUsd)
  }
  return bounds
}

/** A reply that is read once more costs input too. */
function inputBounds(state: RunState, inputTokens: number): readonly number[] {
  const { maxUncachedInputTokens, maxCachedInputTokens } = state.settings.caps
  return [
    ...(maxUncachedInputTokens === null
      ? []
      : [maxUncachedInputTokens - spendingOf(state, 'uncachedInputTokens') - inputTokens]),
    ...(maxCachedInputTokens === null
      ? []
      : [maxCachedInputTokens - spendingOf(state, 'cachedInputTokens') - inputTokens]),
  ]
}
