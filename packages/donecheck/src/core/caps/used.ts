/** What counts against a cap: what the run has spent, and what is in the hands of its sub-runs (I9). */
import {
  budgetOf,
  countOf,
  sumOfBudgets,
  totalTokens,
  type Amount,
  type Budget,
  type Consumption,
  type RunState,
} from '../../events/index.ts'

/** Everything carved for a sub-run counts until it has ended; where nobody knows what it spent, for ever. */
function inSubRuns({ subRuns }: RunState): Partial<Budget> {
  return subRuns.open.reduce((sum, { carved }) => sumOfBudgets(sum, budgetOf(carved)), subRuns.lost)
}

/** A cost that nobody knows counts as 0 here: see the cap on cost. */
export function usedOf(state: RunState, amount: Amount): number {
  const own = ownUse[amount](state.consumption)
  // The clock of this run goes on while a sub-run is at work: its time is in there already.
  return amount === 'wallClockMs' ? own : own + (inSubRuns(state)[amount] ?? 0)
}

export function usedCallsOf(state: RunState, tool: string): number {
  return countOf(state.consumption.callsPerTool, tool) + countOf(inSubRuns(state).callsPerTool ?? {}, tool)
}

const ownUse: Readonly<Record<Amount, (consumption: Consumption) => number>> = {
  iterations: ({ iterations }) => iterations,
  modelCalls: ({ modelCalls }) => modelCalls,
  toolCalls: ({ toolCalls }) => toolCalls,
  tokens: totalTokens,
  // What nobody told apart may have been either: it counts for both.
  uncachedInputTokens: ({ inputTokens, cachedInputTokens }) => inputTokens - cachedInputTokens,
  cachedInputTokens: ({ cachedInputTokens, unsortedInputTokens }) => cachedInputTokens + unsortedInputTokens,
  outputTokens: ({ outputTokens }) => outputTokens,
  reasoningTokens: ({ reasoningTokens, unsortedOutputTokens }) => reasoningTokens + unsortedOutputTokens,
  costUsd: ({ costUsd }) => costUsd ?? 0,
  wallClockMs: ({ activeMs }) => activeMs,
  workingMs: ({ workingMs }) => workingMs,
}
