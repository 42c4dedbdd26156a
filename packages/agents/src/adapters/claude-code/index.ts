export { claudeCodeHooks, claudeCodeSettings } from './hooks.ts'
export { claudeCodeDrive } from './drive.ts'
export type { ClaudeCodeDriveOptions } from './drive.ts'
export {
  hooksOver,
  type SessionHooks,
  type SdkHook,
  type SdkHookMatcher,
  type SdkHooksOptions,
  verifiedQuery,
  type QueryVerification,
  type SdkQuery,
  type VerifiedQuery,
  type VerifiedQueryOptions,
} from './sdk.ts'
