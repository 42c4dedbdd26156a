/** Given, when, then over events: facts to begin with, and what is decided then. */
export { given, givenWith, stamp, standardJudgement, timePassed } from './given.ts'
export type { Given, Step } from './given.ts'
export { begun, checked, claimed, edited } from './phrases.ts'
export { agentDrive, modelDrive, noCaps, runStarted } from './run-started.ts'
export type { RunChoices } from './run-started.ts'
export { everyKindOfFact, sampleRun, sampleTurns } from './sample-events.ts'
export {
  commandEvidence,
  erroredVerdict,
  failedVerdict,
  passedVerdict,
  pending,
  skippedVerdict,
  verdictOf,
} from './verdicts.ts'
export type { VerdictDetails } from './verdicts.ts'
