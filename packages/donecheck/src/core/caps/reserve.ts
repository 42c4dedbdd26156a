/** What the next model call may cost at worst, and what the caps leave for its reply (I9). */
import { estimateTokens, type PricesUsd, type RunState } from '../../events/index.ts'
import { costOf } from '../cost.ts'
import { usedOf } from './used.ts'

/** A reply shorter than that is of no use: the call is not made. */
export const smallestReplyTokens = 256

/** The prompt is cut to the context window by the drive, so it never costs more than that. */
export function expectedPromptTokens(state: RunState): number {
  return fitsWindow(state, state.promptTokens)
}

function fitsWindow({ drive }: RunState, promptTokens: number): number {
  const window = drive.contextWindowTokens - drive.maxOutputTokens
  return Math.min(promptTokens, Math.max(window, smallestReplyTokens))
}

/** Input is reserved at the highest price that it may have. */
export function worstCostUsd(inputTokens: number, outputTokens: number, prices: PricesUsd): number {
  return costOf({ inputTokens, outputTokens }, withoutDiscount(prices))
}

function withoutDiscount({ inputPerMillionTokens, outputPerMillionTokens, ...rest }: PricesUsd): PricesUsd {
  const dearest = Math.max(inputPerMillionTokens, rest.cachedInputPerMillionTokens ?? 0)
  return { inputPerMillionTokens: dearest, outputPerMillionTokens }
}

/** Kept for what the drive is told when it is asked for a wrap-up. */
const noticeTokens = 256

export interface StepTokens {
  readonly inputTokens: number
  readonly outputTokens: number
}

/**
 * The next model call with a reply of so many tokens and, where there is a wrap-up, the one call that follows it: its
 * prompt holds that reply. Before the first reply there is nothing to wrap up, and nothing is kept for it.
 */
export function stepTokens(state: RunState, replyTokens: number): StepTokens {
  const prompt = expectedPromptTokens(state)
  const step = { inputTokens: prompt, outputTokens: replyTokens }
  if (!reservesWrapUp(state)) return step
  return {
    inputTokens: prompt + fitsWindow(state, state.promptTokens + replyTokens + noticeTokens),
    outputTokens: replyTokens + state.settings.wrapUpTokens,
  }
}

/** The smallest step that is worth a call. */
export function smallestStep(state: RunState): StepTokens {
  return stepTokens(state, smallestReplyTokens)
}

/** Calls kept for the wrap-up. */
export function wrapUpCalls(state: RunState): 0 | 1 {
  return reservesWrapUp(state) ? 1 : 0
}

/** An external agent cannot be asked without its tools: it is not asked, and nothing is kept for it. */
function reservesWrapUp({ settings, replies, drive }: RunState): boolean {
  return settings.wrapUp && replies > 0 && !drive.sideEffects
}

/** Upper bound of the next reply under the caps on tokens and cost. */
export function affordableOutputTokens(state: RunState): number {
  const bounds = replyBounds(state, stepTokens(state, 0), wrapUpCalls(state) === 1)
  return Math.max(smallestReplyTokens, Math.floor(Math.min(state.drive.maxOutputTokens, ...bounds)))
}

/**
 * Upper bound of the reply of a wrap-up call that would be made now. Undefined: even that does not fit under the caps, so
 * there is no wrap-up.
 * @param notice what the drive is told with it
 */
export function affordableWrapUpTokens(state: RunState, notice: string): number | undefined {
  const { maxModelCalls, maxUncachedInputTokens, maxCachedInputTokens } = state.settings.caps
  const prompt = fitsWindow(state, state.promptTokens + estimateTokens(notice))
  const hasRoom = (limit: number | null, used: number, more: number) => limit === null || used + more <= limit
  const fits =
    hasRoom(maxModelCalls, usedOf(state, 'modelCalls'), 1) &&
    (!state.drive.reportsUsage ||
      (hasRoom(maxUncachedInputTokens, usedOf(state, 'uncachedInputTokens'), prompt) &&
        hasRoom(maxCachedInputTokens, usedOf(state, 'cachedInputTokens'), prompt))) &&
    !(state.settings.caps.maxCostUsd !== null && state.consumption.costUsd === null)
  if (!fits) return undefined
  const bounds = replyBounds(state, { inputTokens: prompt, outputTokens: 0 }, false)
  const { maxOutputTokens } = state.drive
  const bound = Math.floor(Math.min(state.settings.wrapUpTokens, maxOutputTokens, ...bounds))
  return bound < Math.min(smallestReplyTokens, state.settings.wrapUpTokens) ? undefined : bound
}

/**
 * How many output tokens each cap leaves beside what is needed in any case.
 * @param isRead the reply is read once more, as a part of the wrap-up's prompt
 */
function replyBounds(state: RunState, fixed: StepTokens, isRead: boolean): readonly number[] {
  const { caps } = state.settings
  const { prices, reportsUsage } = state.drive
  const bounds: number[] = []
  if (reportsUsage && caps.maxTokens !== null) {
    const left = caps.maxTokens - usedOf(state, 'tokens') - fixed.inputTokens - fixed.outputTokens
    bounds.push(isRead ? left / 2 : left)
  }
  if (reportsUsage && caps.maxTotalOutputTokens !== null)
    bounds.push(caps.maxTotalOutputTokens - usedOf(state, 'outputTokens') - fixed.outputTokens)
  if (reportsUsage && caps.maxReasoningTokens !== null)
    bounds.push(caps.maxReasoningTokens - usedOf(state, 'reasoningTokens') - fixed.outputTokens)
  if (isRead && reportsUsage) bounds.push(...inputBounds(state, fixed.inputTokens))
  if (caps.maxCostUsd !== null && prices !== null) {
    const leftUsd =
      caps.maxCostUsd - usedOf(state, 'costUsd') - worstCostUsd(fixed.inputTokens, fixed.outputTokens, prices)
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
      : [maxUncachedInputTokens - usedOf(state, 'uncachedInputTokens') - inputTokens]),
    ...(maxCachedInputTokens === null
      ? []
      : [maxCachedInputTokens - usedOf(state, 'cachedInputTokens') - inputTokens]),
  ]
}
