export { claudeCodeHooks, claudeCodeSettings } from './hooks.ts'
export { claudeCodeAgent } from './agent.ts'
export type { ClaudeCodeAgentOptions } from './agent.ts'
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
