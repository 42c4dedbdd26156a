/** Texts of goals, masked. Ids and names of checks hold the run together; the names were masked when the checks were made. */
import type { CommandCheck, GoalChange, SubGoal } from '../../goal/index.ts'
import type { GoalFact, GoalSet } from '../facts/goal-facts.ts'

type Mask = (text: string) => string

function maskGoal(fact: GoalSet, mask: Mask): GoalSet {
  const rules = fact.rules === undefined ? {} : { rules: mask(fact.rules) }
  const masked = { ...fact, task: mask(fact.task), ...rules }
  return fact.subGoals === undefined
    ? masked
    : { ...masked, subGoals: fact.subGoals.map((subGoal) => maskSubGoal(subGoal, mask)) }
}

function maskSubGoal(subGoal: SubGoal, mask: Mask): SubGoal {
  return { ...subGoal, title: mask(subGoal.title) }
}

export function maskGoalFact<Fact extends GoalFact>(fact: Fact, mask: Mask): Fact
export function maskGoalFact(fact: GoalFact, mask: Mask): GoalFact {
  switch (fact.type) {
    case 'goal-set':
      return maskGoal(fact, mask)
    case 'goal-changed':
      return { ...fact, change: maskChange(fact.change, mask) }
    case 'goal-change-refused':
      return { ...fact, reason: mask(fact.reason) }
    case 'drive-steered':
      return { ...fact, text: mask(fact.text) }
    case 'goal-wait-ended':
      return fact
  }
}

function maskChange(change: GoalChange, mask: Mask): GoalChange {
  switch (change.kind) {
    case 'replaced':
    case 'objective-edited':
      return { ...change, objective: mask(change.objective) }
    case 'sub-goal-added':
      return {
        ...change,
        subGoal: maskSubGoal(change.subGoal, mask),
        checks: change.checks.map((check) => maskCheck(check, mask)),
      }
    case 'sub-goal-edited':
      return change.title === undefined ? change : { ...change, title: mask(change.title) }
    case 'checks-added':
      return { ...change, checks: change.checks.map((check) => maskCheck(check, mask)) }
    case 'paused':
    case 'wait-began':
    case 'sub-goal-over-budget':
      return { ...change, reason: mask(change.reason) }
    case 'blocker-reported':
      return { ...change, blocker: mask(change.blocker) }
    case 'progress-reported':
      return { ...change, progress: mask(change.progress) }
    case 'resumed':
    case 'cleared':
    case 'completion-requested':
      return change
  }
}

function maskCheck(check: CommandCheck, mask: Mask): CommandCheck {
  return { ...check, command: mask(check.command) }
}
