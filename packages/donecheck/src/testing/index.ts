/** The published test kit: given-when-then over events, and doors to the world that a test moves by hand. */

// given-when-then
export { given, givenWith, stamp, standardJudgement, timePassed } from './given.ts'
export type { Decided, DecisionPart, Given, Stamping, Step, TimePassed } from './given.ts'
export { assertMatches } from './assert-matches.ts'
export type { PartOf } from './assert-matches.ts'

// facts
export {
  approvalGiven,
  approvalRequested,
  budgetAdded,
  findingNoted,
  goalSet,
  interruptRequested,
  lastTurnEnded,
  modelCalled,
  modelClaimed,
  modelFailed,
  modelProposed,
  modelReplied,
  runResumed,
  runStopped,
  subRunEnded,
  subRunStarted,
  tokens,
  toolCall,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
  verdictGiven,
  verificationStarted,
  workspaceObserved,
  wrapUpCalled,
  wrapUpReplied,
} from './facts.ts'
export { agentDrive, modelDrive, noCaps, runStarted } from './run-started.ts'
export type { RunChoices, VerifierChoice } from './run-started.ts'
export { begun, checked, claimed, edited } from './phrases.ts'

// verdicts
export { commandEvidence, errored, failed, passed, pending, skipped, verdictOf } from './verdicts.ts'
export type { VerdictDetails } from './verdicts.ts'

// a drive and a store without a model and without a disk
export { scriptedDrive } from '../drive/index.ts'
export type { ScriptedOptions, ScriptedReply, ScriptedStep } from '../drive/index.ts'
export { memoryStore } from '../store/index.ts'

// time and names
export { manualClock } from './manual-clock.ts'
export type { ManualClock, ManualClockOptions } from './manual-clock.ts'
export { countingIds } from './counting-ids.ts'

// a whole loop in memory
export { begin, play, playOn, stage, tool, typesOf, verifier } from './stage.ts'
export type { Played, Scene } from './stage.ts'

// whole streams
export { everyKindOfFact, sampleRun, sampleTurns } from './sample-events.ts'

// agents of others
export { recordedHooks } from './recorded-hooks.ts'
export type { RecordedHook } from './recorded-hooks.ts'
