/** What next: pure functions from what happened to what to do. */

// the decision
export { decide } from './decide.ts'
export type { Decision } from './decision.ts'
export type { Judgement } from './judgement.ts'
export { feedbackAtStop } from './go-on.ts'
export type { Rule } from './rule.ts'

// ends
export {
  exitCodeOf,
  exitCodeOfStop,
  outcomeOf,
  resumableOutcomes,
  stopOrder,
  turnStaysOpen,
} from './stop-order.ts'

export { kindredJudge } from './kindred-judge.ts'
// what a claim rests on
export { evidenceGrades, evidenceOf, evidenceOfEnd } from './claims/index.ts'
export type { EvidenceLine } from './claims/index.ts'

// policies over verdicts
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
export type { Ballot, Policy } from './policy.ts'

// checks: their order, when they are cut short, when a pass is believed
export {
  concludeVerification,
  defaultFlakeBound,
  heldOutGap,
  heldOutGapOf,
  inOrderOfYield,
  isDecided,
  isOpen,
  judgeTries,
} from './checks/index.ts'
export type { CheckHistory, FlakeBound, HeldOutGap, Tries } from './checks/index.ts'

// rules
export { capsLeft, carve, hardCaps, liftsCap, workDeadlineOf } from './caps/index.ts'
export {
  continues,
  loopDetection,
  loopDetectionSettings,
  loopDetectionShadow,
  loopDetections,
  detectionsToRefuse,
  refusedCalls,
  ruleModeOf,
  standardLoopDetection,
} from './detectors/index.ts'
export type { LoopDetectionOptions, ModeOption, Detection } from './detectors/index.ts'

// soft verifiers: progress, and the budget that a drive is kept going for
export {
  classicBounds,
  stagnation,
  stagnationSettings,
  stagnationShadow,
  standardStagnation,
  tokenBudget,
  tokenBudgetSettings,
  tokenBudgetShadow,
} from './soft-verifiers/index.ts'
export type { StagnationOptions, TokenBudgetOptions } from './soft-verifiers/index.ts'
export { defaultKeywords, defaultNegations } from './replies/index.ts'
export { howToGoOn } from './final-summary/index.ts'

// what the program says, and how a conversation is made to fit
export { englishPrompts, newsFor, promptFor } from './prompts/index.ts'
export type { Prompts } from './prompts/index.ts'
export { fitConversation } from './context/index.ts'
export type { FittedConversation } from './context/index.ts'
export { costOf } from './cost.ts'
