/** Recorded runs, ours and of others, in one form, and as the steps that a rule at work would have seen. */
export {
  type CallStep,
  type CheckedTurn,
  costsOf,
  dataSetOf,
  filesOf,
  groundTruthSchema,
  isCut,
  isOracleStopped,
  linesOf,
  type MessageStep,
  type Origin,
  originOf,
  parseRun,
  readRuns,
  type RecordedRun,
  type RecordedTurn,
  type ReplyStep,
  type Step,
  stepsOf,
  tokensOf,
} from './recorded-run.ts'
export { isLost, runOfEvents } from './run-of-events.ts'
