/** What the drive is told when the goal was changed: the latest of it, once for all changes of one boundary. */
import { statusesOf, type SubGoal } from '../../goal/index.ts'
import { hasPassed, type RunState } from '../../state/index.ts'
import { budgetLeft } from '../budget-left.ts'
import type { GoalView } from '../prompts/index.ts'

/** Sub-goals that one message shows. */
const maxShown = 20

export function goalView(state: RunState): GoalView {
  const statuses = statusesOf(state.goal, hasPassed(state))
  const isOpen = ({ id }: SubGoal) => statuses.get(id) !== 'closed'
  const open = state.goal.subGoals.filter(isOpen)
  return {
    objective: state.task,
    open: open.slice(0, maxShown).map(({ id, title, checks }) => ({
      id,
      title,
      checks,
      isNext: statuses.get(id) === 'next',
      isOverBudget: statuses.get(id) === 'over-budget',
    })),
    leftOut: Math.max(0, open.length - maxShown),
    closed: state.goal.subGoals.length - open.length,
    left: budgetLeft(state),
  }
}
