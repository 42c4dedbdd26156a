/** Changes of a goal from outside of its turns: what is asked for, and whether it may be. */
import { nothingSpent, type Awaited, type CommandCheck, type GoalState, type SubGoal } from './goal.ts'
import { moveGoal, type GoalEvent } from './machine.ts'

export type GoalChange =
  /** Another goal takes the place of this one; its parts and what it has spent are its own. Checks stay. */
  | { readonly kind: 'replaced'; readonly goalId: string; readonly objective: string }
  | { readonly kind: 'objective-edited'; readonly objective: string }
  | {
      readonly kind: 'sub-goal-added'
      readonly subGoal: SubGoal
      /** Those of its checks that are new. */
      readonly checks: readonly CommandCheck[]
    }
  | {
      readonly kind: 'sub-goal-edited'
      readonly id: string
      readonly title: string
    }
  | { readonly kind: 'checks-added'; readonly checks: readonly CommandCheck[] }
  | { readonly kind: 'paused'; readonly reason: string }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'cleared' }
  | {
      readonly kind: 'wait-began'
      readonly awaited: Awaited
      readonly expiresAtMs: number
      readonly reason: string
    }
  | { readonly kind: 'blocker-reported'; readonly blocker: string }

export interface GoalRequest {
  /** The goal that is meant. Null: whichever it is. */
  readonly goalId: string | null
  /** Who asks. */
  readonly by: string
  readonly change: GoalChange
}

/** What the drive calls itself as the author of a request. */
export const drivesRequests = 'the drive'

/** Largest numbers of one goal. */
export const maxSubGoals = 1000
export const maxAddedChecks = 100
/** Of those sub-goals, what a drive may propose: a plan without end must leave room for people. */
const maxProposals = 100
/** In UTF-16 code units. */
export const maxObjectiveLength = 4000
export const maxTitleLength = 400

/** What each change is for the table of states. */
const eventOf: Readonly<Record<GoalChange['kind'], GoalEvent>> = {
  replaced: 'set',
  'objective-edited': 'edited',
  'sub-goal-added': 'edited',
  'sub-goal-edited': 'edited',
  'checks-added': 'edited',
  paused: 'paused',
  resumed: 'resumed',
  cleared: 'cleared',
  'wait-began': 'wait-began',
  'blocker-reported': 'blocker-reported',
}

/** Of what only a person or a program may ask for. */
const notForDrives: readonly GoalChange['kind'][] = [
  'replaced',
  'objective-edited',
  'sub-goal-edited',
  'checks-added',
  'paused',
  'resumed',
  'cleared',
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
    return `${drivesRequests} may propose sub-goals, report a blocker and wait; everything else is for people`
  if (goal.isCleared && change.kind !== 'replaced') return 'the goal was cleared: set another one first'
  if (moveGoal(goal.status, eventOf[change.kind]).isRefused) return refusalOf(goal, change)
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
        ? problemOfText('the title', change.title, maxTitleLength)
        : `there is no sub-goal "${change.id}"`
    case 'checks-added':
      return change.checks.length === 0
        ? 'no check was given'
        : problemOfChecks(goal, change.checks, checkNames)
    case 'blocker-reported':
      return problemOfText('the blocker', change.blocker, maxTitleLength)
    case 'paused':
    case 'resumed':
    case 'cleared':
    case 'wait-began':
      return undefined
  }
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
  if (!(weight > 0)) return `the weight of a sub-goal is above 0, not ${weight}`
  if (isProposed !== (by === drivesRequests)) return 'only the drive proposes sub-goals'
  return problemOfText('the title', subGoal.title, maxTitleLength)
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

/** The goal after a change that may be made. */
export function changeGoal(goal: GoalState, change: GoalChange, sequence: number): GoalState {
  const { status } = moveGoal(goal.status, eventOf[change.kind])
  const next = {
    ...goal,
    status,
    revision: goal.revision + 1,
    waiting: status === 'waiting' ? goal.waiting : undefined,
    ...(status === goal.status ? {} : { reason: reasonOf(change), restsOn: [sequence] }),
  }
  switch (change.kind) {
    case 'replaced':
      return {
        ...next,
        id: change.goalId,
        formerIds: [...new Set([...goal.formerIds, goal.id])],
        subGoals: [],
        spent: nothingSpent,
        chargedSubGoal: undefined,
        spentOnSubGoals: {},
        blocker: undefined,
        news: 'untold',
        isCleared: false,
      }
    case 'objective-edited':
      return { ...next, news: 'untold' }
    case 'sub-goal-added':
      return {
        ...withChecks(next, change.checks),
        subGoals: withPart(goal.subGoals, change.subGoal),
        news: change.subGoal.isProposed ? goal.news : 'untold',
      }
    case 'sub-goal-edited':
      return {
        ...next,
        subGoals: goal.subGoals.map((subGoal) =>
          subGoal.id === change.id ? { ...subGoal, title: change.title } : subGoal,
        ),
        news: 'untold',
      }
    case 'checks-added':
      return { ...withChecks(next, change.checks), news: 'untold' }
    case 'wait-began': {
      const { awaited, expiresAtMs, reason } = change
      return { ...next, waiting: { awaited, expiresAtMs, reason }, reason, restsOn: [sequence] }
    }
    case 'blocker-reported':
      return { ...next, blocker: reportedBlocker(goal, change.blocker) }
    case 'cleared':
      return { ...next, subGoals: [], chargedSubGoal: undefined, spentOnSubGoals: {}, isCleared: true }
    case 'paused':
    case 'resumed':
      return next
  }
}

/** Last in its order. One that was recorded twice stands once. */
function withPart(subGoals: readonly SubGoal[], added: SubGoal): readonly SubGoal[] {
  return [...subGoals.filter(({ id }) => id !== added.id), added]
}

function withChecks(goal: GoalState, checks: readonly CommandCheck[]): GoalState {
  const isOther = ({ name }: CommandCheck) => !checks.some((check) => check.name === name)
  return {
    ...goal,
    addedChecks: [...goal.addedChecks.filter(isOther), ...checks],
    unaskedChecks: [...new Set([...goal.unaskedChecks, ...checks.map(({ name }) => name)])],
  }
}

/** The same blocker in the next turn counts on; another one, or a turn without it, begins anew. */
function reportedBlocker({ blocker }: GoalState, text: string): GoalState['blocker'] {
  const isSame = blocker !== undefined && sameWords(blocker.text, text)
  if (!isSame) return { text, turns: 1, isReported: true }
  return blocker.isReported ? blocker : { text, turns: blocker.turns + 1, isReported: true }
}

function sameWords(one: string, other: string): boolean {
  return wordsOf(one) === wordsOf(other)
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function reasonOf(change: GoalChange): string {
  switch (change.kind) {
    case 'paused':
      return change.reason
    case 'cleared':
      return 'the goal was cleared'
    case 'wait-began':
      return change.reason
    default:
      return ''
  }
}
