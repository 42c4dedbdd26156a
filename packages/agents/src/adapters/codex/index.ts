export { codexHooks } from './hooks.ts'
export { codexDrive } from './drive.ts'
export type { CodexDriveOptions } from './drive.ts'
export { codexSettings, codexTrust, listHooks, type HookList, type ListedHook } from './settings.ts'
