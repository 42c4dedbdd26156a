/** How verdicts become a completed run. */
export { concludeVerification, isOpen, unanswerable } from './conclude-verification.ts'
export { heldOutGap, heldOutGapOf, type HeldOutGap } from './checks/held-out-gap.ts'
export { isDecided, inOrderOfYield, type CheckHistory } from './order.ts'
export {
  completionMessage,
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
  type Ballot,
  type Policy,
  type PolicyVerdict,
} from './policy.ts'
