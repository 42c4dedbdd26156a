/** Which reason a run stops for, and what follows of it: outcome, exit code, words. */
export {
  exitCodeOf,
  exitCodeOfStop,
  firstStop,
  outcomeOf,
  resumableOutcomes,
  stopOrder,
  turnStaysOpen,
  type StopCandidate,
} from './stop-order.ts'
export { continueTransition, stopTransition } from './transition.ts'
