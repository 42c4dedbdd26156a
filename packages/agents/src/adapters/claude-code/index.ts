/** Claude Code. */
export { claudeCodeHooks } from './hooks.ts'
export { claudeCodeDrive } from './drive.ts'
export type { ClaudeCodeDriveOptions } from './drive.ts'
export { claudeCodeSettings } from './settings.ts'
// in a program, through the Claude Agent SDK
export { hooksOver } from './sdk/sdk-hooks.ts'
export type { SessionHooks, SdkHook, SdkHookMatcher, SdkHooksOptions } from './sdk/sdk-hooks.ts'
export { verifiedQuery } from './sdk/verified-query.ts'
export type {
  QueryVerification,
  SdkQuery,
  VerifiedQuery,
  VerifiedQueryOptions,
} from './sdk/verified-query.ts'
