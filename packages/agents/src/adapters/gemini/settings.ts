/** Where the hooks of Gemini CLI are configured. */
import { join } from 'node:path'
import {
  doubtOfFolder,
  folderNamed,
  variableIn,
  type HookSettings,
  type SettingsContext,
} from '../../protocol/settings/index.ts'
import { payloadOf, textIn, type Payload } from '../../protocol/hooks/index.ts'

const name = 'donecheck'

export const geminiSettings: HookSettings = {
  agent: 'gemini',
  shape: 'grouped',
  preamble: {},
  file: (scope, place) =>
    join(scope === 'user' ? homeOf(place) : place.workFolder, '.gemini', 'settings.json'),
  // Milliseconds.
  entry: (_registration, command, timeoutSeconds) => ({
    ...{ type: 'command', name, command },
    timeout: timeoutSeconds * 1000,
  }),
  commandIn: (entry) => textIn(entry, 'command'),
  goneAnswer: (message) => JSON.stringify({ systemMessage: message }),
  shell: ['bash', '-c'],
  environment: (folder) => ({ GEMINI_PROJECT_DIR: folder, GEMINI_CWD: folder, CLAUDE_PROJECT_DIR: folder }),
  obstacles: (settings) => settings.flatMap(obstaclesIn),
  otherFiles: (place) => [
    variableIn(place.environment, 'GEMINI_CLI_SYSTEM_SETTINGS_PATH') ?? '/etc/gemini-cli/settings.json',
  ],
  projectTrust: {
    files: (place) => [trustFileOf(place)],
    doubt: ([rules], settings, place) => {
      const { GEMINI_CLI_TRUST_WORKSPACE: said, GEMINI_RESTRICTED_MODE: restricted } = place.environment
      if (said === 'false' || restricted === 'true')
        return 'Gemini CLI is told by its environment not to trust this folder: the settings of the project are not read'
      const isAsked = settings.every(
        (one) => payloadOf(payloadOf(one['security'])?.['folderTrust'])?.['enabled'] !== false,
      )
      if (said === 'true' || !isAsked) return undefined
      const trust = { title: 'Gemini CLI', program: 'gemini', file: trustFileOf(place) }
      return doubtOfFolder(place.workFolder, rules, trust)
    },
  },
}

/** It keeps `.gemini` in there. */
function homeOf(place: SettingsContext): string {
  return folderNamed('GEMINI_CLI_HOME', place, place.homeFolder)
}

function trustFileOf(place: SettingsContext): string {
  const usual = join(homeOf(place), '.gemini', 'trustedFolders.json')
  return folderNamed('GEMINI_CLI_TRUSTED_FOLDERS_PATH', place, usual)
}

function obstaclesIn(settings: Payload): readonly string[] {
  const switches = payloadOf(settings['hooksConfig'])
  const disabled: unknown = switches?.['disabled']
  return [
    ...(switches?.['enabled'] === false ? ['"hooksConfig.enabled" is false: no hook runs'] : []),
    ...(payloadOf(settings['tools'])?.['enableHooks'] === false
      ? ['"tools.enableHooks" is false: no hook runs']
      : []),
    ...(Array.isArray(disabled) && disabled.includes(name)
      ? [`"hooksConfig.disabled" names ${name}: its hooks do not run`]
      : []),
  ]
}
