/** Drives: what proposes the next step. */
export { scriptedDrive } from './scripted.ts'
export type { ScriptedCall, ScriptedOptions, ScriptedReply, ScriptedStep } from './scripted.ts'
export { commandDrive } from './command/index.ts'
export type { CommandDriveOptions } from './command/index.ts'
export { modelDrive, pricesOf } from './model/index.ts'
export type { ModelDriveOptions, PriceTable } from './model/index.ts'
