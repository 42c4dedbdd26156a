import { type GoalEvent, moveGoal, noParts, nothingSpent, type GoalState } from './goal.ts'
import type { GoalChange, CommandCheck, SubGoal, SubGoalBudget } from './shapes.ts'

export interface GoalRequest {
  /** Null means the current goal, whichever it is. */
  readonly goalId: string | null
  readonly by: string
  readonly change: GoalChange
}

export const drivesRequests = 'the agent'

export const runsRequests = 'the run'

const maxSubGoals = 1000
const maxAddedChecks = 100
/** In UTF-16 code units. */
export const maxObjectiveLength = 4000
export const maxTitleLength = 400
const maxMessageLength = 200_000

const eventOfChange: Readonly<Record<GoalChange['kind'], GoalEvent>> = {
  replaced: 'set',
  'objective-edited': 'edited',
  'sub-goal-added': 'edited',
  'sub-goal-edited': 'edited',
  'sub-goal-over-budget': 'edited',
  'checks-added': 'edited',
  paused: 'paused',
  resumed: 'resumed',
  cleared: 'cleared',
  'wait-began': 'wait-began',
  'blocker-reported': 'blocker-reported',
  'progress-reported': 'goal-tool-completed',
  'message-given': 'edited',
  'completion-requested': 'goal-tool-completed',
}

/** @param by who asked for it */
export function changeGoal(goal: GoalState, change: GoalChange, sequence: number, by = ''): GoalState {
  const { status } = moveGoal(goal.status, eventOfChange[change.kind])
  const next = {
    ...goal,
    status,
    revision: goal.revision + 1,
    waiting: status === 'waiting' ? goal.waiting : undefined,
    ...(status === goal.status ? {} : { reason: reasonOf(change), basedOn: [sequence] }),
  }
  switch (change.kind) {
    case 'replaced':
      return {
        ...next,
        id: change.goalId,
        formerIds: [...new Set([...goal.formerIds, goal.id])],
        ...noParts,
        spent: nothingSpent,
        blocker: undefined,
        news: 'untold',
        changedParts: [],
        rules: '',
        isCleared: false,
      }
    case 'objective-edited':
      return { ...next, news: 'untold' }
    case 'sub-goal-added':
      return {
        ...withChecks(next, change.checks),
        subGoals: withPart(goal.subGoals, change.subGoal),
        ...(change.subGoal.isProposed ? {} : newsOf(goal, change.subGoal.id)),
      }
    case 'sub-goal-edited':
      return withPartEdited(next, change)
    case 'sub-goal-over-budget':
      return {
        ...next,
        overBudget: [...new Set([...goal.overBudget, change.id])],
        ...newsOf(goal, change.id),
      }
    case 'checks-added':
      return { ...withChecks(next, change.checks), news: 'untold' }
    case 'wait-began': {
      const { awaited, expiresAtMs, reason } = change
      const agentWaits = goal.agentWaits + (by === drivesRequests ? 1 : 0)
      return { ...next, agentWaits, waiting: { awaited, expiresAtMs, reason }, reason, basedOn: [sequence] }
    }
    case 'blocker-reported':
      return { ...next, blocker: reportedBlocker(goal, change.blocker) }
    case 'progress-reported':
      return { ...next, reportedProgress: change.progress }
    case 'message-given':
      return { ...next, news: goal.news === 'none' ? 'message' : goal.news }
    case 'cleared':
      return { ...next, ...noParts, isCleared: true }
    case 'paused':
    case 'resumed':
    case 'completion-requested':
      return next
  }
}

type PartEdited = Extract<GoalChange, { kind: 'sub-goal-edited' }>

function withPartEdited(goal: GoalState, change: PartEdited): GoalState {
  const { id, budget } = change
  return {
    ...goal,
    subGoals: goal.subGoals.map((subGoal) => (subGoal.id === id ? edited(subGoal, change) : subGoal)),
    overBudget: budget === undefined ? goal.overBudget : goal.overBudget.filter((other) => other !== id),
    ...newsOf(goal, id),
  }
}

/** The part is sent to the agent at the next boundary, whatever its status. */
function newsOf({ changedParts }: GoalState, id: string): Pick<GoalState, 'news' | 'changedParts'> {
  return { news: 'untold', changedParts: [...new Set([...changedParts, id])] }
}

function edited(subGoal: SubGoal, { title = subGoal.title, budget }: PartEdited): SubGoal {
  return budget === undefined ? { ...subGoal, title } : { ...subGoal, title, budget }
}

/** Appends it; a part that was recorded twice appears once. */
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

/** The same blocker in the next turn increments the count; another one, or none, restarts it. */
function reportedBlocker({ blocker }: GoalState, text: string): GoalState['blocker'] {
  const isSame = blocker !== undefined && wordsOf(blocker.text) === wordsOf(text)
  if (!isSame) return { text, turns: 1, isReported: true }
  return blocker.isReported ? blocker : { text, turns: blocker.turns + 1, isReported: true }
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
    case 'wait-began':
      return change.reason
    case 'cleared':
      return 'the goal was cleared'
    default:
      return ''
  }
}

/** Limits the agent's plan, so that room remains for people's parts. */
const maxProposals = 100
const maxAgentWaits = 10

/** Only a person or a program may ask for these. */
const notForAgents: readonly GoalChange['kind'][] = [
  'replaced',
  'objective-edited',
  'sub-goal-edited',
  'checks-added',
  'paused',
  'resumed',
  'cleared',
  'message-given',
]

/** Returns why the change is refused, or undefined. @param checkNames of all verifiers of the run */
export function problemOfChange(
  goal: GoalState,
  { goalId, by, change }: GoalRequest,
  checkNames: readonly string[],
): string | undefined {
  if (goalId !== null && goalId !== goal.id)
    return `goal ${goalId} is not the goal of this run any more: it is ${goal.id}; look at it again`
  if (by === drivesRequests && notForAgents.includes(change.kind))
    return `${drivesRequests} may propose sub-goals, report progress or a blocker, wait and ask for the checks; everything else is for people`
  if (change.kind === 'sub-goal-over-budget' && by !== runsRequests)
    return 'only the run itself says that a budget is used up'
  if (by === drivesRequests && change.kind === 'wait-began' && goal.agentWaits >= maxAgentWaits)
    return `an agent waits at most ${maxAgentWaits} times in one run`
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
  const { id, parentId, after, isProposed } = subGoal
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(id))
    return `"${id}" cannot be an id: use lower-case letters, digits and dashes, at most 40`
  if (subGoals.length >= maxSubGoals) return `a goal has at most ${maxSubGoals} sub-goals`
  if (isProposed && subGoals.filter((each) => each.isProposed).length >= maxProposals)
    return `an agent proposes at most ${maxProposals} sub-goals`
  const ids = subGoals.map((each) => each.id)
  if (ids.includes(id)) return `there is a sub-goal "${id}" already`
  const unknown = [...(parentId === null ? [] : [parentId]), ...after].find((each) => !ids.includes(each))
  if (unknown !== undefined) return `there is no sub-goal "${unknown}"`
  if (isProposed !== (by === drivesRequests)) return 'only the agent proposes sub-goals'
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
