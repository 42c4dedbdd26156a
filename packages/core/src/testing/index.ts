export { given, givenWith, stamp, standardJudgement, timePassed, type Given, type Step } from './given.ts'
export {
  begun,
  checked,
  claimed,
  edited,
  everyKindOfFact,
  sampleRun,
  sampleTurns,
  commandEvidence,
  erroredVerdict,
  failedVerdict,
  passedVerdict,
  pending,
  skippedVerdict,
  verdictOf,
  type VerdictDetails,
} from './phrases.ts'
export { externalAgent, modelAgent, noCaps, runStarted, type RunChoices } from './facts.ts'
