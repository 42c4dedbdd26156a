/** What a run was started with. */
export { checksOnly, detectorNames, driveKinds, verifierRoles } from './words.ts'
export type { DetectorName, VerifierRole } from './words.ts'
export {
  budget,
  caps,
  driveDescription,
  runSettings,
  usualProviderWaits,
  verifierDescription,
} from './settings.ts'
export type {
  DriveDescription,
  ProviderWaits,
  ReplyCheckSettings,
  RunSettings,
  VerifierDescription,
} from './settings.ts'
export {
  loopDetectionOptions,
  maxHistory,
  stagnationOptions,
  standardLoopDetection,
  standardStagnation,
  standardTokenBudget,
  tokenBudgetOptions,
} from './soft-settings.ts'
export type {
  LoopDetectionOptions,
  LoopDetectionSettings,
  SoftSettings,
  StagnationOptions,
  StagnationSettings,
  TokenBudgetOptions,
  TokenBudgetSettings,
  ToolTraits,
} from './soft-settings.ts'
