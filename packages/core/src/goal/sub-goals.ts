/** How the parts of a goal stand, by what their checks said. Linear in their number. */
import { nothingSpent, type GoalSpent, type GoalState } from './goal.ts'
import type { SubGoal } from './shapes.ts'

/**
 * `next`: open, a leaf, and nothing that comes before it is open. `unverified`: no check and no child could ever close it.
 * `over-budget`: an open leaf that would be next, if its budget or that of what it is a part of had room.
 */
export type SubGoalStatus = 'closed' | 'open' | 'next' | 'unverified' | 'over-budget'

/** Whether this check passed, on the work as it stands. */
export type HasPassed = (check: string) => boolean

export function statusesOf(
  { subGoals, overBudget }: Pick<GoalState, 'subGoals' | 'overBudget'>,
  hasPassed: HasPassed,
): ReadonlyMap<string, SubGoalStatus> {
  const { isClosed, children, byId } = closingOf(subGoals, hasPassed)
  // Nothing that has to come before it, or before what it is a part of, is open.
  const isReached: AskOfPart = askedOnce((id) => {
    const part = byId.get(id)
    if (part === undefined) return true
    return part.after.every(isClosed) && (part.parentId === null || isReached(part.parentId))
  })
  const over = new Set(overBudget)
  const isOver: AskOfPart = askedOnce((id) => {
    const part = byId.get(id)
    return part !== undefined && (over.has(id) || (part.parentId !== null && isOver(part.parentId)))
  })
  return new Map(
    subGoals.map((subGoal): [string, SubGoalStatus] => {
      const isLeaf = (children.get(subGoal.id) ?? []).every(({ isProposed }) => isProposed)
      if (isClosed(subGoal.id)) return [subGoal.id, 'closed']
      if (isLeaf && subGoal.checks.length === 0) return [subGoal.id, 'unverified']
      if (!isLeaf || !isReached(subGoal.id)) return [subGoal.id, 'open']
      return [subGoal.id, isOver(subGoal.id) ? 'over-budget' : 'next']
    }),
  )
}

/** Each has checks of its own that pass, and refers to what stands before it: nothing leads back to itself. The usual case, read once. */
function isPlainlyClosed(subGoals: readonly SubGoal[], hasPassed: HasPassed): boolean {
  const before = new Set<string>()
  return subGoals.every(({ id, parentId, checks, after, isProposed }) => {
    const isOrdered = (parentId === null || before.has(parentId)) && after.every((other) => before.has(other))
    before.add(id)
    return isOrdered && !isProposed && checks.length > 0 && checks.every(hasPassed)
  })
}

type AskOfPart = (id: string) => boolean

/** Each part is asked once, however often somebody wants to know, and however deep the tree is. What leads back to itself is told no. */
function askedOnce(ask: AskOfPart): AskOfPart {
  const known = new Map<string, boolean>()
  return (id) => {
    const before = known.get(id)
    if (before !== undefined) return before
    known.set(id, false)
    const answer = ask(id)
    known.set(id, answer)
    return answer
  }
}

function closingOf(subGoals: readonly SubGoal[], hasPassed: HasPassed) {
  const children = childrenOf(subGoals)
  const byId = new Map(subGoals.map((subGoal) => [subGoal.id, subGoal]))
  const isClosed: AskOfPart = askedOnce((id) => {
    const subGoal = byId.get(id)
    const binding = (children.get(id) ?? []).filter(({ isProposed }) => !isProposed)
    const canBeClosed = subGoal !== undefined && subGoal.checks.length + binding.length > 0
    return (
      canBeClosed &&
      subGoal.checks.every(hasPassed) &&
      subGoal.after.every(isClosed) &&
      binding.every((part) => isClosed(part.id))
    )
  })
  return { isClosed, children, byId }
}

/** The parts whose budgets bound work at this one: itself, what it is a part of, and so on up. */
export function boundingSubGoals({ subGoals }: GoalState, id: string): readonly SubGoal[] {
  const byId = new Map(subGoals.map((subGoal) => [subGoal.id, subGoal]))
  const line = new Set<SubGoal>()
  for (let at = byId.get(id); at !== undefined && !line.has(at); at = byId.get(at.parentId ?? ''))
    line.add(at)
  return [...line].filter(({ budget }) => budget !== undefined)
}

/** What was used on a part, its own parts included. */
export function spentOnPart({ subGoals, spentOnSubGoals }: GoalState, id: string): GoalSpent {
  const children = childrenOf(subGoals)
  const ids = new Set([id])
  // A set is walked to what is added on the way.
  for (const each of ids) for (const part of children.get(each) ?? []) ids.add(part.id)
  return [...ids].reduce((sum, each) => sumOfSpent(sum, spentOnSubGoals[each] ?? nothingSpent), nothingSpent)
}

export function sumOfSpent(one: GoalSpent, other: GoalSpent): GoalSpent {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    costUsd: one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd,
    activeMs: one.activeMs + other.activeMs,
    turns: one.turns + other.turns,
  }
}

/** By the part that they belong to; those of the goal itself by null. */
function childrenOf(subGoals: readonly SubGoal[]): ReadonlyMap<string | null, readonly SubGoal[]> {
  return Map.groupBy(subGoals, ({ parentId }) => parentId)
}

/** The part that the drive should work at now: the first that nothing stands before. */
export function nextSubGoal(goal: GoalState, hasPassed: HasPassed): SubGoal | undefined {
  if (goal.subGoals.length === 0) return undefined
  const statuses = statusesOf(goal, hasPassed)
  return (
    goal.subGoals.find(({ id, isProposed }) => !isProposed && statuses.get(id) === 'next') ??
    goal.subGoals.find(({ id }) => statuses.get(id) === 'next')
  )
}

/** Parts that no check can ever close, the drive's own plan apart: with one of them nobody can call the goal reached. */
export function unverifiedSubGoals(goal: GoalState, hasPassed: HasPassed): readonly SubGoal[] {
  if (goal.subGoals.every(({ checks }) => checks.length > 0)) return []
  const statuses = statusesOf(goal, hasPassed)
  return goal.subGoals.filter(({ id, isProposed }) => !isProposed && statuses.get(id) === 'unverified')
}

/** Parts that are not closed, the drive's own plan apart. */
export function openSubGoals(goal: GoalState, hasPassed: HasPassed): readonly SubGoal[] {
  if (isPlainlyClosed(goal.subGoals, hasPassed)) return []
  const { isClosed } = closingOf(goal.subGoals, hasPassed)
  return goal.subGoals.filter(({ id, isProposed }) => !isProposed && !isClosed(id))
}

export interface GoalProgress {
  readonly closed: number
  readonly leaves: number
  /** Of the leaves, those that are closed, 0 to 1; null: the goal has no parts. */
  readonly share: number | null
}

/** Over the leaves; what the drive itself proposed does not count. */
export function progressOf(goal: GoalState, hasPassed: HasPassed): GoalProgress {
  const binding = goal.subGoals.filter(({ isProposed }) => !isProposed)
  const children = childrenOf(binding)
  const leaves = binding.filter(({ id }) => !children.has(id))
  const { isClosed } = closingOf(goal.subGoals, hasPassed)
  const closed = leaves.filter(({ id }) => isClosed(id)).length
  return { closed, leaves: leaves.length, share: leaves.length === 0 ? null : closed / leaves.length }
}
