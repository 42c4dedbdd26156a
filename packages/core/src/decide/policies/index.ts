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
  unverifiedMessage,
} from './completion.ts'
export {
  allRequired,
  deterministicVeto,
  quorum,
  runsLast,
  weightedScore,
  type Ballot,
  type Policy,
  type PolicyVerdict,
} from './policy.ts'
