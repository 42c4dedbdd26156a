/** The published test kit: given-when-then over events, and doors to the world that a test moves by hand. */

// a drive and a store without a model and without a disk
export { scriptedDrive } from '../loop/drives/index.ts'
export type { ScriptedOptions, ScriptedReply, ScriptedStep } from '../loop/drives/index.ts'
export { memoryStore } from '../system/store/index.ts'

// time and names
export { countingIds, manualClock, type ManualClock, type ManualClockOptions } from './manual-clock.ts'

// a whole loop in memory
export { begin, play, playOn, stage, tool, typesOf, verifier } from './stage.ts'
export type { Played, Scene } from './stage.ts'

// recorded runs
export { madeRun, madeTurn, scriptedWatcher } from './made-run.ts'
