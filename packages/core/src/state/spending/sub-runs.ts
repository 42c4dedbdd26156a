/** The part of the fold that is about sub-runs and about budgets that grow. */
import { budgetOf, raiseCaps, sumOfBudgets, type Budget, amounts, capTable } from '../../budgets/index.ts'
import { spendSubRun } from './spend.ts'
import type { RunState } from '../state.ts'
import type { FactOf } from '../../events/index.ts'

export function subRunStarted(
  state: RunState,
  { childRunId, carved, subGoalId, elsewhere }: FactOf<'sub-run-started'>,
): RunState {
  const { subRuns } = state
  const others = subRuns.open.filter((child) => child.childRunId !== childRunId)
  const open = [...others, { childRunId, carved, subGoalId, isElsewhere: elsewhere === true }]
  return { ...state, subRuns: { ...subRuns, open, started: subRuns.started + 1 } }
}

/** What was carved and not spent is given back; where nobody knows, nothing is. */
export function subRunEnded(state: RunState, { childRunId, spent }: FactOf<'sub-run-ended'>): RunState {
  const { subRuns } = state
  const ended = subRuns.open.find((child) => child.childRunId === childRunId)
  if (ended === undefined) return state
  const open = subRuns.open.filter((child) => child !== ended)
  if (spent === null)
    return {
      ...state,
      subRuns: { ...subRuns, open, lost: sumOfBudgets(subRuns.lost, budgetOf(ended.carved)) },
    }
  return { ...state, consumption: spendSubRun(state, spent), subRuns: { ...subRuns, open } }
}

/** For the new bound, what was said of the old one is said again. */
export function budgetAdded(state: RunState, { added }: FactOf<'budget-added'>): RunState {
  const raised = keysRaised(added)
  return {
    ...state,
    settings: { ...state.settings, caps: raiseCaps(state.settings.caps, added) },
    noted: state.noted.filter((key) => !raised.includes(key)),
  }
}

/** Keys of the findings of those rules that watch what was added to. */
function keysRaised(added: Partial<Budget>): readonly string[] {
  const capped = amounts.filter((name) => added[name] !== undefined)
  const rules = capped.map((name) => capRule(capTable[name].cap))
  return [
    ...rules.flatMap((rule) => [`${rule}:warn`, `${rule}:stop`]),
    ...Object.keys(added.callsPerTool ?? {}).flatMap((tool) => [
      `${toolCapRule}:note:${tool}`,
      `${toolCapRule}:warn:${tool}`,
    ]),
  ]
}

export function capRule(cap: string): string {
  return `cap:${cap}`
}

/** Of the caps of single tools; the key of a finding is the tool's name. */
export const toolCapRule = 'cap:calls_per_tool'
