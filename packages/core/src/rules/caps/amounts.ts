/** Of every amount under a cap: how much of it is used, and how much the next step needs (I9). */
import { budgetOf, capTable, countOf, sumOfBudgets } from '../../budgets/index.ts'
import type { Amount, Budget, Caps, Consumption } from '../../budgets/index.ts'
import { totalTokens, type RunState } from '../../state/index.ts'
import { lastCheckMs, smallestStep, worstCostUsd, finalSummaryCalls } from './next-step.ts'

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
