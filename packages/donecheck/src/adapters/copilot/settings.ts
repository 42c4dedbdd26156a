/** Where the hooks of GitHub Copilot CLI are configured: in a file of their own. */
import { join } from 'node:path'
import { isTrueIn, textIn, type HookSettings } from '../../agents/index.ts'

export const copilotSettings: HookSettings = {
  agent: 'copilot',
  shape: 'flat',
  preamble: { version: 1 },
  file: (scope, { homeFolder, workFolder, environment }) =>
    scope === 'user'
      ? join(environment['COPILOT_HOME'] ?? join(homeFolder, '.copilot'), 'hooks', 'donecheck.json')
      : join(workFolder, '.github', 'hooks', 'donecheck.json'),
  // Seconds; the default is 30.
  entry: (_registration, command, timeoutSeconds) => ({
    type: 'command',
    bash: command,
    timeoutSec: timeoutSeconds,
  }),
  commandIn: (entry) => textIn(entry, 'bash', 'command'),
  goneAnswer: (message) => JSON.stringify({ type: 'progress', message }),
  shell: ['bash', '-c'],
  environment: (folder) => ({ COPILOT_PROJECT_DIR: folder, CLAUDE_PROJECT_DIR: folder, COPILOT_CLI: '1' }),
  obstacles: (settings) =>
    settings.some((one) => isTrueIn(one, 'disableAllHooks'))
      ? ['"disableAllHooks" is true: no hook runs']
      : [],
  otherFiles: ({ homeFolder, workFolder, environment }) => [
    join(environment['COPILOT_HOME'] ?? join(homeFolder, '.copilot'), 'settings.json'),
    join(workFolder, '.github', 'copilot', 'settings.json'),
    join(workFolder, '.github', 'copilot', 'settings.local.json'),
  ],
}
