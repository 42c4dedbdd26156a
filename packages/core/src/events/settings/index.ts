/** What a run was started with. */
export { checksOnly, detectorNames, driveKinds, verifierRoles } from './words.ts'
export type { DetectorName, VerifierRole } from './words.ts'
export { budget, caps, driveDescription, runSettings, verifierDescription } from './settings.ts'
export type { DriveDescription, ReplyCheckSettings, RunSettings, VerifierDescription } from './settings.ts'
export type {
  LoopDetectionSettings,
  SoftSettings,
  StagnationSettings,
  TokenBudgetSettings,
  ToolTraits,
} from './soft-settings.ts'
