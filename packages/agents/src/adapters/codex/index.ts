export { codexHooks, codexSettings, codexTrust, listHooks, type HookList, type ListedHook } from './hooks.ts'
export { codexAgent } from './agent.ts'
export type { CodexAgentOptions } from './agent.ts'
