/** What next: pure functions from what happened to what to do. */

// the decision
export { decide } from './decide.ts'
export type { Decision } from './decision.ts'
export type { Judgement } from './judgement.ts'
export type { Rule } from './rule.ts'

// ends
export {
  exitCodeOf,
  firstStop,
  outcomeOf,
  resumableOutcomes,
  stopOrder,
  turnStaysOpen,
} from './stop-order.ts'
export type { StopCandidate, StopRank } from './stop-order.ts'

// policies over verdicts
export {
  all,
  allRequired,
  any,
  ballotsOf,
  deterministicVeto,
  not,
  quorum,
  runsLast,
  shadow,
  unless,
  weightedScore,
} from './policy.ts'
export type { Ballot, Policy, PolicyVerdict } from './policy.ts'

// checks: their order, when they are cut short, when a pass is believed
export {
  concludeVerification,
  defaultFlakeBound,
  guardVeto,
  heldOutGap,
  heldOutGapOf,
  inOrderOfYield,
  isDecided,
  judgeTries,
  passesNeeded,
  yieldPerSecond,
} from './checks/index.ts'
export type {
  CheckHistory,
  FlakeBound,
  FlakeVerdict,
  HeldOutGap,
  PassedShare,
  Tries,
} from './checks/index.ts'

// rules
export { hardCaps } from './caps/index.ts'
export { refusedCalls } from './detectors/index.ts'

// what the program says, and how a conversation is made to fit
export { englishPrompts } from './prompts/index.ts'
export type { Prompts } from './prompts/index.ts'
export { fitConversation } from './context/index.ts'
export type { FittedConversation } from './context/index.ts'
export { costOf } from './cost.ts'
