/** The published test kit: given-when-then over events, and ports that a test controls. */

export { scriptedAgent } from '../loop/agents/index.ts'
export type { ScriptedOptions, ScriptedReply, ScriptedStep } from '../loop/agents/index.ts'
export { memoryStore } from '../system/store/index.ts'

export { countingIds, manualClock, type ManualClock, type ManualClockOptions } from './manual-clock.ts'

export { begin, play, playOn, stage, tool, typesOf, verifier } from './stage.ts'
export type { Played, Scene } from './stage.ts'

export { madeRun, madeTurn, scriptedWatcher } from './made-run.ts'
