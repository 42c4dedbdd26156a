/** Where the hooks of Qwen Code are configured. */
import { join } from 'node:path'
import {
  doubtOfFolder,
  folderNamed,
  variableIn,
  type HookSettings,
  type SettingsContext,
} from '../../protocol/settings/index.ts'
import { isTrueIn, payloadOf, textIn } from '../../protocol/hooks/index.ts'

export const qwenSettings: HookSettings = {
  agent: 'qwen',
  shape: 'grouped',
  preamble: {},
  file: (scope, place) =>
    join(scope === 'user' ? homeOf(place) : join(place.workFolder, '.qwen'), 'settings.json'),
  // Milliseconds.
  entry: (_registration, command, timeoutSeconds) => ({
    ...{ type: 'command', name: 'donecheck', command },
    timeout: timeoutSeconds * 1000,
  }),
  commandIn: (entry) => textIn(entry, 'command'),
  goneAnswer: (message) => JSON.stringify({ systemMessage: message }),
  shell: ['bash', '-c'],
  environment: (folder) => ({
    QWEN_PROJECT_DIR: folder,
    GEMINI_PROJECT_DIR: folder,
    CLAUDE_PROJECT_DIR: folder,
  }),
  obstacles: (settings) =>
    settings.some((one) => isTrueIn(one, 'disableAllHooks'))
      ? ['"disableAllHooks" is true: no hook runs']
      : [],
  otherFiles: ({ environment }) => [
    variableIn(environment, 'QWEN_CODE_SYSTEM_SETTINGS_PATH') ?? '/etc/qwen-code/settings.json',
  ],
  projectTrust: {
    files: (place) => [trustFileOf(place)],
    doubt: ([rules], settings, place) => {
      // Only where its user has asked for that.
      const isAsked = settings.some(
        (one) => payloadOf(payloadOf(one['security'])?.['folderTrust'])?.['enabled'] === true,
      )
      const trust = { title: 'Qwen Code', program: 'qwen', file: trustFileOf(place) }
      return isAsked ? doubtOfFolder(place.workFolder, rules, trust) : undefined
    },
  },
}

function homeOf(place: SettingsContext): string {
  const value = variableIn(place.environment, 'QWEN_HOME')
  // A tilde that no shell has seen.
  if (value !== undefined && /^~(?:\/|$)/u.test(value)) return join(place.homeFolder, value.slice(1))
  return folderNamed('QWEN_HOME', place, join(place.homeFolder, '.qwen'))
}

function trustFileOf(place: SettingsContext): string {
  return folderNamed('QWEN_CODE_TRUSTED_FOLDERS_PATH', place, join(homeOf(place), 'trustedFolders.json'))
}
