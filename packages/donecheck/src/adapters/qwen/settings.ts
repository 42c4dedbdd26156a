/** Where the hooks of Qwen Code are configured. */
import { join } from 'node:path'
import { isTrueIn, textIn, type HookSettings } from '../../agents/index.ts'

export const qwenSettings: HookSettings = {
  agent: 'qwen',
  shape: 'grouped',
  preamble: {},
  file: (scope, { homeFolder, workFolder }) =>
    join(scope === 'user' ? homeFolder : workFolder, '.qwen', 'settings.json'),
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
  otherFiles: () => [],
}
