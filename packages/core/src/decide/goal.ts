/** How a goal that changes or waits moves the run: between two effects, never in the middle of one. */
import { isMidTurn, hasPassed, type RunState } from '../state/index.ts'
import { partOverBudget, leftUnder } from '../rules/caps/index.ts'
import type { Decision } from './decision.ts'
import { stopTransition } from './stops/index.ts'
import { statusesOf, type SubGoal } from '../goal/index.ts'
import type { BudgetLeft, GoalView } from './prompts/index.ts'

/** A change of the goal may be taken in now, and the drive be told. */
export function isAtBoundary(state: RunState): boolean {
  const { kind } = state.phase
  return (kind === 'idle' || kind === 'judging' || kind === 'starting') && !isMidTurn(state)
}

/** Nobody works at a part whose budget has no room for it. */
function overBudgetDecision(state: RunState): Decision | undefined {
  const { phase } = state
  const isCallNext =
    phase.kind === 'idle' || phase.kind === 'retrying' || (phase.kind === 'starting' && phase.baselineDone)
  const over = isCallNext && state.goal.status === 'active' ? partOverBudget(state) : undefined
  if (over === undefined) return undefined
  return { kind: 'change-goal', change: { kind: 'sub-goal-over-budget', ...over } }
}

/** What the status of the goal asks for before anything else is begun. */
export function goalDecision(state: RunState): Decision | undefined {
  const { goal } = state
  const over = overBudgetDecision(state)
  if (over !== undefined) return over
  if (!isAtBoundary(state)) return undefined
  // A turn that is over is judged first.
  if (goal.waiting !== undefined && state.phase.kind !== 'judging') return { kind: 'await', ...goal.waiting }
  if (goal.status !== 'paused' && !goal.isCleared) return undefined
  const message = goal.isCleared ? 'the goal was cleared: set another one, then resume the run' : goal.reason
  return { kind: 'stop', transition: stopTransition(state, { reason: 'user_interrupt', message }, {}) }
}

/** Sub-goals that one message shows. */
const maxShown = 20

/** What the drive is told when the goal was changed: the latest of it, once for all changes of one boundary. */
export function goalView(state: RunState): GoalView {
  const statuses = statusesOf(state.goal, hasPassed(state))
  const { subGoals, changedParts } = state.goal
  const isChanged = ({ id }: SubGoal) => changedParts.includes(id)
  const isOpen = ({ id }: SubGoal) => statuses.get(id) !== 'closed'
  // What was changed comes first, whatever its status, and what people want before the drive's own plan.
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

/** What the caps leave of turns and tokens. */
export function budgetLeft(state: RunState): BudgetLeft {
  const tokens = state.drive.reportsUsage ? leftUnder(state, 'tokens') : Infinity
  return { turns: leftOrNull(leftUnder(state, 'iterations')), tokens: leftOrNull(tokens) }
}

function leftOrNull(left: number): number | null {
  return left === Infinity ? null : Math.max(0, left)
}
