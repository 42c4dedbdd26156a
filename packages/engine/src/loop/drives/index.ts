/** Drives: what proposes the next step. */
export { scriptedDrive } from './scripted.ts'
export type { ScriptedOptions, ScriptedReply, ScriptedStep } from './scripted.ts'
export { commandDrive } from './command/index.ts'
export { driveFrom, modelDrive } from './model/index.ts'
export type { LanguageModel } from './model/index.ts'
