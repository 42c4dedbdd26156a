/** What the drive is told when the goal was changed: the latest of it, once for all changes of one boundary. */
import { statusesOf, type SubGoal } from '../../goal/index.ts'
import { hasPassed, type RunState } from '../../state/index.ts'
import { leftUnder } from '../../rules/caps/index.ts'
import type { BudgetLeft, GoalView } from '../prompts/index.ts'

/** Sub-goals that one message shows. */
const maxShown = 20

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
