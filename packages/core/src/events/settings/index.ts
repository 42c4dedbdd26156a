/** What a run was started with. */
export type { ReplyCheckSettings } from './reply-settings.ts'
export { driveKinds, verifierRoles } from './settings.ts'
export type { DriveDescription, RunSettings, VerifierDescription, VerifierRole } from './settings.ts'
export { detectorNames } from './soft-settings.ts'
export type {
  DetectorName,
  LoopDetectionSettings,
  SoftSettings,
  StagnationSettings,
  TokenBudgetSettings,
  ToolTraits,
} from './soft-settings.ts'
