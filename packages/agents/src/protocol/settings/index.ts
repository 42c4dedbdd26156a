/** Our hooks in the settings of an agent. */
export { hookLine } from './hook-command.ts'
export { folderNamed, variableIn } from './agent-folders.ts'
export { doubtOfFolder } from './agent-folders.ts'
export type {
  CompanionHooks,
  CompanionText,
  HookSettings,
  SettingsCompanion,
  SettingsContext,
  SettingsScope,
} from './hook-settings.ts'
export { readSettings, withHooks, withoutHooks } from './settings-edit.ts'
export type { SettingsHook, WantedHook } from './settings-edit.ts'
