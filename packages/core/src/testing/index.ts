/** Given, when, then over events: facts to begin with, and what is decided then. */
export { given, givenWith, stamp, standardJudgement, timePassed, type Given, type Step } from './given.ts'
export { begun, checked, claimed, edited } from './phrases.ts'
export { agentDrive, modelDrive, noCaps, runStarted, type RunChoices } from './run-started.ts'
export { everyKindOfFact, sampleRun, sampleTurns } from './sample-events.ts'
export {
  commandEvidence,
  erroredVerdict,
  failedVerdict,
  passedVerdict,
  pending,
  skippedVerdict,
  verdictOf,
  type VerdictDetails,
} from './verdicts.ts'
