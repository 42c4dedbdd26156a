export {
  firstGoal,
  goalStatuses,
  nothingSpent,
  type GoalSpent,
  type GoalState,
  type GoalStatus,
  goalEvents,
  goalMoves,
  moveGoal,
  type GoalEvent,
} from './goal.ts'
export { goalChange, subGoal, waitEnd } from './shapes.ts'
export type { Awaited, CommandCheck, GoalChange, SubGoal, SubGoalBudget, WaitEnd, Waiting } from './shapes.ts'
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
export {
  changeGoal,
  drivesRequests,
  maxTitleLength,
  runsRequests,
  type GoalRequest,
  problemOfChange,
} from './change.ts'
