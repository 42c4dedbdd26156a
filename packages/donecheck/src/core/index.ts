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
  isOpen,
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
export { capsLeft, carve, hardCaps, liftsCap, topUpNames, workDeadlineOf } from './caps/index.ts'
export type { Carve } from './caps/index.ts'
export {
  continues,
  detectors,
  loopDetection,
  loopDetectionSettings,
  loopDetectionShadow,
  loopSigns,
  modeOf,
  signsToRefuse,
  refusedCalls,
  ruleModeOf,
  standardLoopDetection,
} from './detectors/index.ts'
export type {
  Detector,
  LoopDetectionOptions,
  ModeOption,
  Sign,
  SignLevel,
  SoftView,
} from './detectors/index.ts'

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
  tokenBudgetStep,
} from './soft-verifiers/index.ts'
export type {
  StagnationChoice,
  StagnationOptions,
  TokenBudgetBounds,
  TokenBudgetChoice,
  TokenBudgetCompletion,
  TokenBudgetDecision,
  TokenBudgetInput,
  TokenBudgetOptions,
} from './soft-verifiers/index.ts'
export { howToGoOn, programSummary } from './wrap-up/index.ts'
export { progressBetween, progressScore } from './progress.ts'
export type { ProgressScore, ProgressSignal } from './progress.ts'

// what the program says, and how a conversation is made to fit
export { englishPrompts, newsFor, promptFor } from './prompts/index.ts'
export type { Prompts } from './prompts/index.ts'
export { fitConversation } from './context/index.ts'
export type { FittedConversation } from './context/index.ts'
export { costOf } from './cost.ts'

// labels of ends and turns, and the words of other systems
export { counterpartOf, labelRows, labels, labelText, ownLabels, rowsOf, wordRows } from './labels/index.ts'
export type {
  CapKind,
  CapLabel,
  Counterpart,
  EndLabel,
  EndName,
  ForeignSystem,
  LabelRow,
  Labels,
  OwnEnd,
  OwnLabel,
  OwnTurn,
  PlainEnd,
  Resume,
  TableRow,
  UnverifiedEnd,
  Vocabulary,
} from './labels/index.ts'
