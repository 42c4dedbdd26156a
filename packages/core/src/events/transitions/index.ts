/** Why a turn continued or a run stopped. */
export { continueReasons, lastChecks, outcomes, stopReasons, summarySources } from './transition.ts'
export type {
  ContinueReason,
  ContinueTransition,
  LastCheck,
  Outcome,
  StopCause,
  StopReason,
  StopTransition,
  SummarySource,
  Transition,
  VerdictLine,
} from './transition.ts'
