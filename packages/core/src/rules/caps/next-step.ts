/** What the next step needs at worst, with the final summary and the last check behind it (I9). */
import type { RunState } from '../../state/index.ts'
import { costOf, type PricesUsd } from '../../budgets/index.ts'

/** A reply shorter than that is of no use: the call is not made. */
export const smallestReplyTokens = 256

/** The prompt is cut to the context window by the drive, so it never costs more than that. */
export function expectedPromptTokens(state: RunState): number {
  return fitsWindow(state, state.promptTokens)
}

export function fitsWindow({ drive }: RunState, promptTokens: number): number {
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

/** Kept for what the drive is told when it is asked for a final summary. */
const noticeTokens = 256

export interface StepTokens {
  readonly inputTokens: number
  readonly outputTokens: number
}

/**
 * The next model call with a reply of so many tokens and, where there is a final summary, the one call that follows it: its
 * prompt holds that reply. Before the first reply there is nothing to summarise, and nothing is kept for it.
 */
export function stepTokens(state: RunState, replyTokens: number): StepTokens {
  const prompt = expectedPromptTokens(state)
  const step = { inputTokens: prompt, outputTokens: replyTokens }
  if (!reservesFinalSummary(state)) return step
  return {
    inputTokens: prompt + fitsWindow(state, state.promptTokens + replyTokens + noticeTokens),
    outputTokens: replyTokens + state.settings.finalSummaryTokens,
  }
}

/** The smallest step that is worth a call. */
export function smallestStep(state: RunState): StepTokens {
  return stepTokens(state, smallestReplyTokens)
}

/** Calls kept for the final summary. */
export function finalSummaryCalls(state: RunState): 0 | 1 {
  return reservesFinalSummary(state) ? 1 : 0
}

/** An external agent cannot be asked without its tools: it is not asked, and nothing is kept for it. */
function reservesFinalSummary({ settings, replies, drive }: RunState): boolean {
  return settings.finalSummary && replies > 0 && !drive.sideEffects
}

/** As long as the checks have taken at most so far; 0 where there will be no last check, or none has been asked yet. */
export function lastCheckMs({ settings, checkTime }: RunState): number {
  return settings.verifyAtCap && settings.reservesLastCheck ? checkTime.maxMs : 0
}
