export {
  hookLine,
  readSettings,
  withHooks,
  withoutHooks,
  type SettingsHook,
  type WantedHook,
} from './settings-edit.ts'
export {
  entryName,
  fileInBoth,
  folderNamed,
  hookSettings,
  namedEntry,
  variableIn,
  doubtOfFolder,
  type CompanionHooks,
  type CompanionText,
  type HookSettings,
  type SettingsCompanion,
  type SettingsContext,
  type SettingsScope,
} from './hook-settings.ts'
