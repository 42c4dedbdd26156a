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

/** A shorter reply is useless, so the call is not made. */
export const smallestReplyTokens = 256

/** The agent cuts the prompt to the context window, so it never costs more. */
export function expectedPromptTokens(state: RunState): number {
  return fitsWindow(state, state.promptTokens)
}

export function fitsWindow({ agent }: RunState, promptTokens: number): number {
  const window = agent.contextWindowTokens - agent.maxOutputTokens
  return Math.min(promptTokens, Math.max(window, smallestReplyTokens))
}

/** Reserves input at its highest possible price. */
export function worstCostUsd(inputTokens: number, outputTokens: number, prices: PricesUsd): number {
  return costOf({ inputTokens, outputTokens }, withoutDiscount(prices))
}

function withoutDiscount({ inputPerMillionTokens, outputPerMillionTokens, ...rest }: PricesUsd): PricesUsd {
  const dearest = Math.max(inputPerMillionTokens, rest.cachedInputPerMillionTokens ?? 0)
  return { inputPerMillionTokens: dearest, outputPerMillionTokens }
}

const noticeTokens = 256

export interface StepTokens {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The next model call and the final summary. Before the first reply no summary is reserved. */
export function stepTokens(state: RunState, replyTokens: number): StepTokens {
  const prompt = expectedPromptTokens(state)
  const step = { inputTokens: prompt, outputTokens: replyTokens }
  if (!reservesFinalSummary(state)) return step
  return {
    inputTokens: prompt + fitsWindow(state, state.promptTokens + replyTokens + noticeTokens),
    outputTokens: replyTokens + state.settings.finalSummaryTokens,
  }
}

function smallestStep(state: RunState): StepTokens {
  return stepTokens(state, smallestReplyTokens)
}

export function finalSummaryCalls(state: RunState): 0 | 1 {
  return reservesFinalSummary(state) ? 1 : 0
}

/** External agents cannot be called without tools, so no summary is reserved for them. */
function reservesFinalSummary({ settings, replies, agent }: RunState): boolean {
  return settings.finalSummary && replies > 0 && !agent.sideEffects
}

/** The longest check time so far; 0 if no last check will run or none has run yet. */
export function lastCheckMs({ settings, checkTime }: RunState): number {
  return settings.verifyAtCap && settings.reservesLastCheck ? checkTime.maxMs : 0
}

interface AmountRow {
  /** Includes ended sub-runs. */
  readonly used: (consumption: Consumption) => number
  /** For one more step plus the final summary and the last check. */
  readonly reserved: (state: RunState) => number
}

const rows: Readonly<Record<Amount, AmountRow>> = {
  iterations: { used: ({ iterations }) => iterations, reserved: () => 1 },
  modelCalls: { used: ({ modelCalls }) => modelCalls, reserved: (state) => 1 + finalSummaryCalls(state) },
  // The agent may need none.
  toolCalls: { used: ({ toolCalls }) => toolCalls, reserved: () => 0 },
  tokens: {
    used: totalTokens,
    reserved: (state) => smallestStep(state).inputTokens + smallestStep(state).outputTokens,
  },
  // An unknown cost counts as 0 here; the cost cap handles it.
  costUsd: { used: ({ costUsd }) => costUsd ?? 0, reserved: nextStepUsd },
  wallClockMs: { used: ({ activeMs }) => activeMs, reserved: lastCheckMs },
}

/** Nothing can be reserved for an agent that only reports past cost. */
function nextStepUsd(state: RunState): number {
  const { inputTokens, outputTokens } = smallestStep(state)
  return state.agent.prices === null ? 0 : worstCostUsd(inputTokens, outputTokens, state.agent.prices)
}

/** Spent by the run, plus what its sub-runs hold. */
export function spendingOf(state: RunState, amount: Amount): number {
  const own = rows[amount].used(state.consumption)
  // The run's clock already includes the time of its sub-runs.
  return amount === 'wallClockMs' ? own : own + (inSubRuns(state)[amount] ?? 0)
}

/** Negative if overspent; Infinity if the cap is off. */
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

/** A allocated budget counts until the sub-run ends, and forever if its spending is unknown. */
function inSubRuns({ subRuns }: RunState): Partial<Budget> {
  return subRuns.open.reduce((sum, { allocated }) => sumOfBudgets(sum, budgetOf(allocated)), subRuns.lost)
}
