/** Whether the goal stands in the way of an end that the checks alone would allow. */
import { openSubGoals, unverifiedSubGoals } from '../../goal/index.ts'
import { hasPassed, type RunState } from '../../state/index.ts'

/** Titles of sub-goals that a message names. */
const maxTitles = 3

/** The drive has not heard of a change yet, or a check that came with one has not spoken. */
export function hasNews({ goal }: RunState): boolean {
  return goal.news !== 'none' || goal.unaskedChecks.length > 0
}

/** The goal is not reached, whatever the checks say: news, or a part that is open. */
export function isGoalOpen(state: RunState): boolean {
  return hasNews(state) || openSubGoals(state.goal, hasPassed(state)).length > 0
}

/** Undefined: every part of the goal is closed. */
export function unverifiedMessage(state: RunState): string | undefined {
  const unverified = unverifiedSubGoals(state.goal, hasPassed(state))
  // What waits for a part without a check is open because of that.
  const open = unverified.length > 0 ? unverified : openSubGoals(state.goal, hasPassed(state))
  if (open.length === 0) return undefined
  const named = open.slice(0, maxTitles).map(({ id, title }) => `${id} (${title})`)
  const further = open.length > maxTitles ? `, and ${open.length - maxTitles} more` : ''
  const how = unverified.length > 0 ? 'no check decides about' : 'these parts cannot be closed:'
  return `the checks pass, but ${how} ${named.join(', ')}${further}`
}
