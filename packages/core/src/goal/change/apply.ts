import { noParts, nothingSpent, type GoalState } from '../goal.ts'
import { moveGoal } from '../machine.ts'
import type { CommandCheck, GoalChange, SubGoal } from '../shapes.ts'
import { drivesRequests, eventOfChange } from './change.ts'

/**
 * The goal after a change that may be made.
 * @param by who asked for it
 */
export function changeGoal(goal: GoalState, change: GoalChange, sequence: number, by = ''): GoalState {
  const { status } = moveGoal(goal.status, eventOfChange[change.kind])
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
      const driveWaits = goal.driveWaits + (by === drivesRequests ? 1 : 0)
      return { ...next, driveWaits, waiting: { awaited, expiresAtMs, reason }, reason, restsOn: [sequence] }
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

/** With another budget it has room again, as far as anybody knows. */
function withPartEdited(goal: GoalState, change: PartEdited): GoalState {
  const { id, budget } = change
  return {
    ...goal,
    subGoals: goal.subGoals.map((subGoal) => (subGoal.id === id ? edited(subGoal, change) : subGoal)),
    overBudget: budget === undefined ? goal.overBudget : goal.overBudget.filter((other) => other !== id),
    ...newsOf(goal, id),
  }
}

/** The drive is told of the part at the next boundary, whatever its status. */
function newsOf({ changedParts }: GoalState, id: string): Pick<GoalState, 'news' | 'changedParts'> {
  return { news: 'untold', changedParts: [...new Set([...changedParts, id])] }
}

function edited(subGoal: SubGoal, { title = subGoal.title, budget }: PartEdited): SubGoal {
  return budget === undefined ? { ...subGoal, title } : { ...subGoal, title, budget }
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
