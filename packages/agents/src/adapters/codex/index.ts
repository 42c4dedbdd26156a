/** Codex. */
export { codexHooks } from './hooks.ts'
export { codexDrive } from './drive.ts'
export type { CodexDriveOptions } from './drive.ts'
export { codexSettings } from './settings.ts'
export { codexTrust, listHooks, type HookList, type ListedHook } from './trust.ts'
