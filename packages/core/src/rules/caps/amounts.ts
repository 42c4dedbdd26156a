/** Of every amount under a cap: how much of it is used, and how much the next step needs at worst, with the final summary and the last check behind it (I9). */
import { type RunState, totalTokens } from '../../state/index.ts'
import {
  costOf,
  type PricesUsd,
  budgetOf,
  capTable,
  countOf,
  sumOfBudgets,
  type Amount,
  type Budget,
  type Caps,
  type Consumption,
} from '../../budgets/index.ts'

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
function smallestStep(state: RunState): StepTokens {
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

interface AmountRow {
  /** By the run itself, sub-runs that have ended included. */
  readonly used: (consumption: Consumption) => number
  /** To go on by one step and to end well: with the final summary and the last check. */
  readonly reserved: (state: RunState) => number
}

const rows: Readonly<Record<Amount, AmountRow>> = {
  iterations: { used: ({ iterations }) => iterations, reserved: () => 1 },
  modelCalls: { used: ({ modelCalls }) => modelCalls, reserved: (state) => 1 + finalSummaryCalls(state) },
  // The drive may need none.
  toolCalls: { used: ({ toolCalls }) => toolCalls, reserved: () => 0 },
  tokens: {
    used: totalTokens,
    reserved: (state) => smallestStep(state).inputTokens + smallestStep(state).outputTokens,
  },
  // A cost that nobody knows counts as 0 here: see the cap on cost.
  costUsd: { used: ({ costUsd }) => costUsd ?? 0, reserved: nextStepUsd },
  wallClockMs: { used: ({ activeMs }) => activeMs, reserved: lastCheckMs },
}

/** Of an agent that only tells what it has cost nothing can be reserved. */
function nextStepUsd(state: RunState): number {
  const { inputTokens, outputTokens } = smallestStep(state)
  return state.drive.prices === null ? 0 : worstCostUsd(inputTokens, outputTokens, state.drive.prices)
}

/** What the run has spent, and what is in the hands of its sub-runs. */
export function spendingOf(state: RunState, amount: Amount): number {
  const own = rows[amount].used(state.consumption)
  // The clock of this run goes on while a sub-run is at work: its time is in there already.
  return amount === 'wallClockMs' ? own : own + (inSubRuns(state)[amount] ?? 0)
}

/** What a cap leaves, negative once more than all is used; Infinity where it is switched off. */
export function leftUnder(state: RunState, amount: Amount, caps: Caps = state.settings.caps): number {
  const limit = caps[capTable[amount].field]
  return limit === null ? Infinity : limit - spendingOf(state, amount)
}

export function reservationOf(state: RunState, amount: Amount): number {
  return rows[amount].reserved(state)
}

export function toolCallCountOf(state: RunState, tool: string): number {
  return countOf(state.consumption.callsPerTool, tool) + countOf(inSubRuns(state).callsPerTool ?? {}, tool)
}

/** Everything carved for a sub-run counts until it has ended; where nobody knows what it spent, for ever. */
function inSubRuns({ subRuns }: RunState): Partial<Budget> {
  return subRuns.open.reduce((sum, { carved }) => sumOfBudgets(sum, budgetOf(carved)), subRuns.lost)
}
