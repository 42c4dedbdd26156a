/** What is wanted: the states of a goal, its parts, and how both change while a run goes on. */
export { firstGoal, goalStatuses, nothingSpent, waitEnds } from './goal.ts'
export type {
  Advances,
  Awaited,
  CommandCheck,
  GoalSpent,
  GoalState,
  GoalStatus,
  SubGoal,
  SubGoalBudget,
  WaitEnd,
  Waiting,
} from './goal.ts'
export { keptReadings, leftWords } from './left.ts'
export type { LeftReading } from './left.ts'
export { goalEvents, goalMoves, moveGoal } from './machine.ts'
export type { GoalEvent, Move } from './machine.ts'
export {
  boundingSubGoals,
  nextSubGoal,
  openSubGoals,
  progressOf,
  spentOnPart,
  statusesOf,
  sumOfSpent,
  unverifiedSubGoals,
} from './sub-goals.ts'
export type { GoalProgress, HasPassed, SubGoalStatus } from './sub-goals.ts'
export { changeGoal } from './change/apply.ts'
export { drivesRequests, maxTitleLength, runsRequests } from './change/change.ts'
export type { GoalChange, GoalRequest } from './change/change.ts'
export { problemOfChange } from './change/problem.ts'
