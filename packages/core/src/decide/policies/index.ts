/** How verdicts become a completed run. */
export { concludeVerification } from './checks/conclude-verification.ts'
export { heldOutGap, heldOutGapOf } from './checks/held-out-gap.ts'
export type { HeldOutGap } from './checks/held-out-gap.ts'
export { isDecided } from './checks/is-decided.ts'
export { isOpen } from './checks/is-open.ts'
export { inOrderOfYield } from './checks/order.ts'
export type { CheckHistory } from './checks/order.ts'
export { defaultFlakeBound, judgeTries } from './checks/sequential-test.ts'
export type { FlakeBound, Tries } from './checks/sequential-test.ts'
export { completionMessage } from './completion-message.ts'
export { currentVerdict, hasChangedWorkspace, isComplete, hasTurnedGreen } from './completion.ts'
export {
  all,
  allRequired,
  any,
  deterministicVeto,
  not,
  quorum,
  runsLast,
  shadow,
  unless,
  weightedScore,
} from './policy.ts'
export type { Ballot, Policy, PolicyVerdict } from './policy.ts'
export { unanswerable } from './unanswerable.ts'
export { hasNews, isGoalOpen, unverifiedMessage } from './open-goal.ts'
