/** Why a turn continued or a run stopped. */
export { continueReasons, lastChecks, outcomes, stopReasons, summarySources } from './words.ts'
export type { ContinueReason, LastCheck, Outcome, StopReason, SummarySource } from './words.ts'
export { outcome, stopCause, stopTransition, transition } from './transition.ts'
export type { ContinueTransition, StopCause, StopTransition, Transition, VerdictLine } from './transition.ts'
