/** A goal as a tree, depth first. */
import { statusesOf, type SubGoalStatus } from '@donecheck/core/goal'
import { hasPassed, type RunState } from '@donecheck/core/state'

export interface GoalRow {
  readonly id: string
  readonly title: string
  readonly depth: number
  readonly status: SubGoalStatus
  readonly isProposed: boolean
  readonly checks: readonly string[]
}

export function goalRows(state: RunState): readonly GoalRow[] {
  const statuses = statusesOf(state.goal, hasPassed(state))
  const children = Map.groupBy(state.goal.subGoals, ({ parentId }) => parentId)
  const seen = new Set<string>()
  const below = (parentId: string | null, depth: number): readonly GoalRow[] =>
    (children.get(parentId) ?? []).flatMap(({ id, title, isProposed, checks }) => {
      if (seen.has(id)) return []
      seen.add(id)
      const row = { id, title, depth, status: statuses.get(id) ?? 'open', isProposed, checks }
      return [row, ...below(id, depth + 1)]
    })
  return below(null, 0)
}
