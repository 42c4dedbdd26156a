export { codexHooks, codexSettings, codexTrust, listHooks, type HookList, type ListedHook } from './hooks.ts'
export { codexDrive } from './drive.ts'
export type { CodexDriveOptions } from './drive.ts'
