/** Recorded runs, ours and of others, in one form, and as the steps that a rule at work would have seen. */
export { dataSetOf, isCut, isOracleStopped, parseRun } from './recorded-run.ts'
export type { CheckedTurn, RecordedRun, RecordedTurn } from './recorded-run.ts'
export { filesOf, linesOf, readRuns } from './read-files.ts'
export { groundTruthSchema, originOf, type Origin } from './origin.ts'
export { isLost, runOfEvents } from './run-of-events.ts'
export { costsOf, stepsOf, tokensOf } from './steps.ts'
export type { CallStep, MessageStep, ReplyStep, Step } from './steps.ts'
