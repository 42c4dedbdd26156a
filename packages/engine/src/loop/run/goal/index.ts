export { awaitGoal } from './await-goal.ts'
export { takeInRequests } from './take-in.ts'
