export { scriptedDrive, type ScriptedOptions, type ScriptedReply, type ScriptedStep } from './scripted.ts'
export { commandDrive } from './command-drive.ts'
export { driveFrom, modelDrive } from './model/model-drive.ts'
export type { Model as LanguageModel } from '../../system/models/index.ts'
