/** Where the hooks of Gemini CLI are configured. */
import { join } from 'node:path'
import { payloadOf, textIn, type HookSettings, type Payload } from '../../agents/index.ts'

const name = 'donecheck'

export const geminiSettings: HookSettings = {
  agent: 'gemini',
  shape: 'grouped',
  preamble: {},
  file: (scope, { homeFolder, workFolder, environment }) =>
    scope === 'user'
      ? join(environment['GEMINI_CLI_HOME'] ?? homeFolder, '.gemini', 'settings.json')
      : join(workFolder, '.gemini', 'settings.json'),
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
  otherFiles: () => ['/etc/gemini-cli/settings.json'],
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
