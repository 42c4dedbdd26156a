/** What is wanted: the states of a goal, its parts, and how both change while a run goes on. */
export { firstGoal, goalStatuses, nothingSpent, waitEnds } from './goal.ts'
export type {
  Awaited,
  Blocker,
  CommandCheck,
  GoalSpent,
  GoalState,
  GoalStatus,
  SubGoal,
  WaitEnd,
  Waiting,
} from './goal.ts'
export { goalEvents, goalMoves, moveGoal } from './machine.ts'
export type { GoalEvent, Move } from './machine.ts'
export { nextSubGoal, progressOf, statusesOf, unverifiedSubGoals } from './sub-goals.ts'
export type { GoalProgress, HasPassed, SubGoalStatus } from './sub-goals.ts'
export {
  changeGoal,
  drivesRequests,
  maxAddedChecks,
  maxObjectiveLength,
  maxSubGoals,
  maxTitleLength,
  problemOfChange,
} from './change.ts'
export type { GoalChange, GoalRequest } from './change.ts'
