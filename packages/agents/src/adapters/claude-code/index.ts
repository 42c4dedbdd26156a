/** Claude Code. */
export { claudeCodeHooks } from './hooks.ts'
export { claudeCodeDrive } from './drive.ts'
export type { ClaudeCodeDriveOptions } from './drive.ts'
export { claudeCodeSettings } from './settings.ts'
// in a program, through the Claude Agent SDK
export { hooksOver } from './sdk-hooks.ts'
export type { SessionHooks, SdkHook, SdkHookMatcher, SdkHooksOptions } from './sdk-hooks.ts'
export { verifiedQuery } from './verified-query.ts'
export type { QueryVerification, SdkQuery, VerifiedQuery, VerifiedQueryOptions } from './verified-query.ts'
