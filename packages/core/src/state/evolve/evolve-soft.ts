/** The part of the fold that is about the token budget and about the final summary. */
import { spend } from '../spending/spend.ts'
import type { RunEvent, FactOf } from '../../events/index.ts'
import type { FinalSummaryState, RunState } from '../state.ts'
import { newTracker, countNudge, type TokenBudgetState } from '../spending/token-budget-tracker.ts'

/** Output tokens of the task so far, those of its sub-runs included. */
export function turnTokensOf({ consumption, tokenBudget }: RunState): number {
  return consumption.outputTokens - tokenBudget.notCountedTokens
}

/** @param state before the event */
export function evolveTokenBudget(state: RunState, event: RunEvent): TokenBudgetState {
  const { tokenBudget } = state
  switch (event.type) {
    case 'goal-set':
      return { tracker: newTracker(event.timeMs), notCountedTokens: state.consumption.outputTokens }
    case 'turn-ended':
      return event.transition.kind === 'continue' && state.tally.claimed
        ? { ...tokenBudget, tracker: countNudge(tokenBudget.tracker, turnTokensOf(state)) }
        : tokenBudget
    case 'final-summary-replied':
      return {
        ...tokenBudget,
        notCountedTokens: tokenBudget.notCountedTokens + (event.usage?.outputTokens ?? 0),
      }
    default:
      return tokenBudget
  }
}

/** @param state before the event */
export function evolveFinalSummary(
  { finalSummary }: RunState,
  event: RunEvent,
): FinalSummaryState | undefined {
  switch (event.type) {
    case 'final-summary-called':
      return { end: event.end, reply: undefined }
    case 'final-summary-replied': {
      const { text, problem } = event
      const reply = problem === undefined ? { text } : { text, problem }
      return finalSummary === undefined ? undefined : { ...finalSummary, reply }
    }
    // The end is decided anew; until there is another turn, what was said of the work still holds.
    case 'run-resumed':
      return finalSummary === undefined ? undefined : { ...finalSummary, end: undefined }
    case 'model-called':
      return undefined
    default:
      return finalSummary
  }
}

/** A call that brought nothing and of which nobody knows a price is no spending. */
export function finalSummaryBooked(
  state: RunState,
  fact: FactOf<'final-summary-called'> | FactOf<'final-summary-replied'>,
): RunState {
  const { consumption } = state
  if (fact.type === 'final-summary-called')
    return { ...state, consumption: { ...consumption, modelCalls: consumption.modelCalls + 1 } }
  if (fact.usage === null && fact.problem !== undefined) return state
  return { ...state, consumption: spend(consumption, fact.usage, fact.costUsd) }
}
