/** Goals change or wait between two effects, never during one. */
import { isMidTurn, hasPassed, type RunState } from '../state/index.ts'
import { partOverBudget, leftUnder } from '../rules/caps/index.ts'
import type { Decision } from './decision.ts'
import { stopTransition } from './stops/index.ts'
import { statusesOf, type SubGoal } from '../goal/index.ts'
import type { BudgetLeft, GoalView } from './prompts/index.ts'

/** Whether a goal change may be applied now and sent to the agent. */
export function isAtBoundary(state: RunState): boolean {
  const { kind } = state.phase
  return (kind === 'idle' || kind === 'judging' || kind === 'starting') && !isMidTurn(state)
}

function overBudgetDecision(state: RunState): Decision | undefined {
  const { phase } = state
  const isCallNext =
    phase.kind === 'idle' || phase.kind === 'retrying' || (phase.kind === 'starting' && phase.baselineDone)
  const over = isCallNext && state.goal.status === 'active' ? partOverBudget(state) : undefined
  if (over === undefined) return undefined
  return { kind: 'change-goal', change: { kind: 'sub-goal-over-budget', ...over } }
}

export function goalDecision(state: RunState): Decision | undefined {
  const { goal } = state
  const over = overBudgetDecision(state)
  if (over !== undefined) return over
  if (!isAtBoundary(state)) return undefined
  // A finished turn is judged first.
  if (goal.waiting !== undefined && state.phase.kind !== 'judging') return { kind: 'await', ...goal.waiting }
  if (goal.status !== 'paused' && !goal.isCleared) return undefined
  const message = goal.isCleared ? 'the goal was cleared: set another one, then resume the run' : goal.reason
  return { kind: 'stop', transition: stopTransition(state, { reason: 'user_interrupt', message }, {}) }
}

const maxShown = 20

/** The message to the agent after goal changes: one for all changes since the last boundary. */
export function goalView(state: RunState): GoalView {
  const statuses = statusesOf(state.goal, hasPassed(state))
  const { subGoals, changedParts } = state.goal
  const isChanged = ({ id }: SubGoal) => changedParts.includes(id)
  const isOpen = ({ id }: SubGoal) => statuses.get(id) !== 'closed'
  // Changed parts first, then the user's parts before the agent's own plan.
  const open = [
    ...subGoals.filter(isChanged),
    ...subGoals.filter((part) => !isChanged(part) && isOpen(part) && !part.isProposed),
    ...subGoals.filter((part) => !isChanged(part) && isOpen(part) && part.isProposed),
  ]
  return {
    objective: state.task,
    open: open.slice(0, maxShown).map(({ id, title, checks }) => ({
      id,
      title,
      checks,
      isNext: statuses.get(id) === 'next',
      isOverBudget: statuses.get(id) === 'over-budget',
      isClosed: statuses.get(id) === 'closed',
    })),
    leftOut: Math.max(0, open.length - maxShown),
    closed: subGoals.filter((part) => !isOpen(part)).length,
    left: budgetLeft(state),
  }
}

export function budgetLeft(state: RunState): BudgetLeft {
  const tokens = state.agent.reportsUsage ? leftUnder(state, 'tokens') : Infinity
  return { turns: leftOrNull(leftUnder(state, 'iterations')), tokens: leftOrNull(tokens) }
}

function leftOrNull(left: number): number | null {
  return left === Infinity ? null : Math.max(0, left)
}
