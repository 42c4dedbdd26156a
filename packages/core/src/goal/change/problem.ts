/** Whether a change of a goal may be made, and why not. */
import type { GoalState } from '../goal.ts'
import { moveGoal } from '../machine.ts'
import type { CommandCheck, GoalChange, SubGoal, SubGoalBudget } from '../shapes.ts'
import {
  drivesRequests,
  eventOfChange,
  maxAddedChecks,
  maxMessageLength,
  maxObjectiveLength,
  maxSubGoals,
  maxTitleLength,
  runsRequests,
  type GoalRequest,
} from './change.ts'

/** Of those sub-goals, what a drive may propose: a plan without end must leave room for people. */
const maxProposals = 100
/** Each of at most an hour: who needs more has a person to ask. */
const maxDriveWaits = 10

/** Of what only a person or a program may ask for. */
const notForDrives: readonly GoalChange['kind'][] = [
  'replaced',
  'objective-edited',
  'sub-goal-edited',
  'checks-added',
  'paused',
  'resumed',
  'cleared',
  'message-given',
]

/**
 * Why the change is refused; undefined: it may be made.
 * @param checkNames of all verifiers of the run
 */
export function problemOfChange(
  goal: GoalState,
  { goalId, by, change }: GoalRequest,
  checkNames: readonly string[],
): string | undefined {
  if (goalId !== null && goalId !== goal.id)
    return `goal ${goalId} is not the goal of this run any more: it is ${goal.id}; look at it again`
  if (by === drivesRequests && notForDrives.includes(change.kind))
    return `${drivesRequests} may propose sub-goals, report progress or a blocker, wait and ask for the checks; everything else is for people`
  if (change.kind === 'sub-goal-over-budget' && by !== runsRequests)
    return 'only the run itself says that a budget is used up'
  if (by === drivesRequests && change.kind === 'wait-began' && goal.driveWaits >= maxDriveWaits)
    return `a drive waits at most ${maxDriveWaits} times in one run`
  if (goal.isCleared && change.kind !== 'replaced') return 'the goal was cleared: set another one first'
  if (moveGoal(goal.status, eventOfChange[change.kind]).isRefused) return refusalOf(goal, change)
  return problemOfContent(goal, by, change, checkNames)
}

function refusalOf({ status }: GoalState, { kind }: GoalChange): string {
  return status === 'complete'
    ? 'the goal is complete: start a new run for what is wanted now'
    : `the goal is ${status}, so it cannot take "${kind}"; resume it first`
}

function problemOfContent(
  goal: GoalState,
  by: string,
  change: GoalChange,
  checkNames: readonly string[],
): string | undefined {
  switch (change.kind) {
    case 'replaced':
      if (change.goalId === goal.id || goal.formerIds.includes(change.goalId))
        return `there was a goal ${change.goalId} in this run already: another goal needs an id of its own`
      return problemOfText('the objective', change.objective, maxObjectiveLength)
    case 'objective-edited':
      return problemOfText('the objective', change.objective, maxObjectiveLength)
    case 'sub-goal-added':
      return (
        problemOfSubGoal(goal.subGoals, change.subGoal, by) ??
        problemOfChecks(goal, change.checks, checkNames) ??
        problemOfCheckNames(change.subGoal, [...checkNames, ...change.checks.map(({ name }) => name)])
      )
    case 'sub-goal-edited':
      return goal.subGoals.some(({ id }) => id === change.id)
        ? problemOfEdit(change)
        : `there is no sub-goal "${change.id}"`
    case 'checks-added':
      return change.checks.length === 0
        ? 'no check was given'
        : problemOfChecks(goal, change.checks, checkNames)
    case 'blocker-reported':
      return problemOfText('the blocker', change.blocker, maxTitleLength)
    case 'progress-reported':
      return problemOfText('the progress', change.progress, maxTitleLength)
    case 'message-given':
      return problemOfText('the message', change.text, maxMessageLength)
    case 'paused':
    case 'resumed':
    case 'cleared':
    case 'wait-began':
    case 'sub-goal-over-budget':
    case 'completion-requested':
      return undefined
  }
}

function problemOfEdit({ title, budget }: Extract<GoalChange, { kind: 'sub-goal-edited' }>) {
  if (title === undefined && budget === undefined) return 'neither a title nor a budget was given'
  const inTitle = title === undefined ? undefined : problemOfText('the title', title, maxTitleLength)
  return inTitle ?? problemOfBudget(budget)
}

function problemOfBudget(budget: SubGoalBudget = {}): string | undefined {
  const wrong = Object.entries(budget).find(([, bound]) => !(bound > 0))
  return wrong === undefined ? undefined : `a budget is above 0, not ${wrong[0]} ${wrong[1]}`
}

function problemOfText(what: string, text: string, most: number): string | undefined {
  if (text.trim() === '') return `${what} must not be empty`
  return text.length > most ? `${what} has more than ${most} characters` : undefined
}

function problemOfSubGoal(subGoals: readonly SubGoal[], subGoal: SubGoal, by: string): string | undefined {
  const { id, parentId, after, weight, isProposed } = subGoal
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(id))
    return `"${id}" cannot be an id: use lower-case letters, digits and dashes, at most 40`
  if (subGoals.length >= maxSubGoals) return `a goal has at most ${maxSubGoals} sub-goals`
  if (isProposed && subGoals.filter((each) => each.isProposed).length >= maxProposals)
    return `a drive proposes at most ${maxProposals} sub-goals`
  const ids = subGoals.map((each) => each.id)
  if (ids.includes(id)) return `there is a sub-goal "${id}" already`
  const unknown = [...(parentId === null ? [] : [parentId]), ...after].find((each) => !ids.includes(each))
  if (unknown !== undefined) return `there is no sub-goal "${unknown}"`
  const outside = (subGoal.paths ?? []).find(
    (path) => path === '' || path.startsWith('/') || path.split('/').includes('..'),
  )
  if (outside !== undefined) return `"${outside}" is no path within the work folder`
  if (!(weight > 0)) return `the weight of a sub-goal is above 0, not ${weight}`
  if (isProposed !== (by === drivesRequests)) return 'only the drive proposes sub-goals'
  return problemOfText('the title', subGoal.title, maxTitleLength) ?? problemOfBudget(subGoal.budget)
}

function problemOfChecks(
  goal: GoalState,
  checks: readonly CommandCheck[],
  checkNames: readonly string[],
): string | undefined {
  if (goal.addedChecks.length + checks.length > maxAddedChecks)
    return `a run takes at most ${maxAddedChecks} more checks`
  const names = checks.map(({ name }) => name)
  const twice = names.find((name, index) => checkNames.includes(name) || names.indexOf(name) !== index)
  if (twice !== undefined) return `there is a check "${twice}" already`
  return checks.some(({ name, command }) => name.trim() === '' || command.trim() === '')
    ? 'a check needs a name and a command'
    : undefined
}

function problemOfCheckNames({ checks }: SubGoal, checkNames: readonly string[]): string | undefined {
  const unknown = checks.find((name) => !checkNames.includes(name))
  return unknown === undefined ? undefined : `there is no check "${unknown}"`
}
