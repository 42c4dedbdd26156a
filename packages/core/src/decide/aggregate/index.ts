export { concludeVerification, isOpen, unanswerable } from './conclude-verification.ts'
export { heldOutGap, heldOutGapOf, type HeldOutGap } from './checks/held-out-gap.ts'
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
  isDecided,
  quorum,
  runsLast,
  weightedScore,
  type Vote,
  type Aggregator,
  type AggregateVerdict,
} from './aggregate.ts'
