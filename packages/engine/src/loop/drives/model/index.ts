/** A model, hosted or on a server of one's own, as the drive of a run. */
export { driveFrom } from './language-model.ts'
export type { Model as LanguageModel } from '../../../system/models/index.ts'
export { modelDrive } from './model-drive.ts'
