import { nothingSpent, type GoalSpent, type GoalState } from './goal.ts'
import type { SubGoal } from './shapes.ts'

/** `next`: nothing before it is open. `unverified`: nothing can close it. `over-budget`: else `next`. */
export type SubGoalStatus = 'closed' | 'open' | 'next' | 'unverified' | 'over-budget'

/** Whether this check passed on the current work. */
export type HasPassed = (check: string) => boolean

export function statusesOf(
  { subGoals, overBudget }: Pick<GoalState, 'subGoals' | 'overBudget'>,
  hasPassed: HasPassed,
): ReadonlyMap<string, SubGoalStatus> {
  const { isClosed, children, byId } = closingOf(subGoals, hasPassed)
  // Nothing before it, or before its parents, is open.
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

/** Fast path: every part has passing checks and refers only to earlier parts, so there is no cycle. */
function isPlainlyClosed(subGoals: readonly SubGoal[], hasPassed: HasPassed): boolean {
  const before = new Set<string>()
  return subGoals.every(({ id, parentId, checks, after, isProposed }) => {
    const isOrdered = (parentId === null || before.has(parentId)) && after.every((other) => before.has(other))
    before.add(id)
    return isOrdered && !isProposed && checks.length > 0 && checks.every(hasPassed)
  })
}

type AskOfPart = (id: string) => boolean

/** Memoizes by part. Cycles evaluate to false. */
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

/** The part and all its ancestors, whose budgets limit work on it. */
export function boundingSubGoals({ subGoals }: GoalState, id: string): readonly SubGoal[] {
  const byId = new Map(subGoals.map((subGoal) => [subGoal.id, subGoal]))
  const line = new Set<SubGoal>()
  for (let at = byId.get(id); at !== undefined && !line.has(at); at = byId.get(at.parentId ?? ''))
    line.add(at)
  return [...line].filter(({ budget }) => budget !== undefined)
}

export function spentOnPart({ subGoals, spentOnSubGoals }: GoalState, id: string): GoalSpent {
  const children = childrenOf(subGoals)
  const ids = new Set([id])
  // Sets iterate over entries added during the loop.
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

/** Keyed by parent id; null for the goal itself. */
function childrenOf(subGoals: readonly SubGoal[]): ReadonlyMap<string | null, readonly SubGoal[]> {
  return Map.groupBy(subGoals, ({ parentId }) => parentId)
}

/** The first open part with nothing open before it. */
export function nextSubGoal(goal: GoalState, hasPassed: HasPassed): SubGoal | undefined {
  if (goal.subGoals.length === 0) return undefined
  const statuses = statusesOf(goal, hasPassed)
  return (
    goal.subGoals.find(({ id, isProposed }) => !isProposed && statuses.get(id) === 'next') ??
    goal.subGoals.find(({ id }) => statuses.get(id) === 'next')
  )
}

/** Parts that no check can close, proposed ones excluded. With one of them the goal is never reached. */
export function unverifiedSubGoals(goal: GoalState, hasPassed: HasPassed): readonly SubGoal[] {
  if (goal.subGoals.every(({ checks }) => checks.length > 0)) return []
  const statuses = statusesOf(goal, hasPassed)
  return goal.subGoals.filter(({ id, isProposed }) => !isProposed && statuses.get(id) === 'unverified')
}

/** Excludes the agent's own plan. */
export function openSubGoals(goal: GoalState, hasPassed: HasPassed): readonly SubGoal[] {
  if (isPlainlyClosed(goal.subGoals, hasPassed)) return []
  const { isClosed } = closingOf(goal.subGoals, hasPassed)
  return goal.subGoals.filter(({ id, isProposed }) => !isProposed && !isClosed(id))
}

export interface GoalProgress {
  readonly closed: number
  readonly leaves: number
  /** Ratio of closed leaves, 0 to 1; null if the goal has no parts. */
  readonly share: number | null
}

/** Counts leaves only, without those that the agent proposed. */
export function progressOf(goal: GoalState, hasPassed: HasPassed): GoalProgress {
  const binding = goal.subGoals.filter(({ isProposed }) => !isProposed)
  const children = childrenOf(binding)
  const leaves = binding.filter(({ id }) => !children.has(id))
  const { isClosed } = closingOf(goal.subGoals, hasPassed)
  const closed = leaves.filter(({ id }) => isClosed(id)).length
  return { closed, leaves: leaves.length, share: leaves.length === 0 ? null : closed / leaves.length }
}
