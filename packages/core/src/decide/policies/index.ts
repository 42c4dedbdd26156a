/** How verdicts become a completed run. */
export { concludeVerification, isOpen } from './checks/conclude-verification.ts'
export { heldOutGap, heldOutGapOf, type HeldOutGap } from './checks/held-out-gap.ts'
export { isDecided } from './checks/is-decided.ts'
export { inOrderOfYield, type CheckHistory } from './checks/order.ts'
export { completionMessage } from './completion-message.ts'
export {
  currentVerdict,
  hasChangedWorkspace,
  isComplete,
  hasTurnedGreen,
  hasNews,
  isGoalOpen,
  unverifiedMessage,
} from './completion.ts'
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
