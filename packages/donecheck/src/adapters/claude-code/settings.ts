/** Where the hooks of Claude Code are configured. */
import { join } from 'node:path'
import { isTrueIn, textIn, type HookSettings, type Payload } from '../../agents/index.ts'

export const claudeCodeSettings: HookSettings = {
  agent: 'claude-code',
  shape: 'grouped',
  preamble: {},
  file: (scope, { homeFolder, workFolder, environment }) =>
    scope === 'user'
      ? join(environment['CLAUDE_CONFIG_DIR'] ?? join(homeFolder, '.claude'), 'settings.json')
      : join(workFolder, '.claude', 'settings.json'),
  // Seconds.
  entry: (_registration, command, timeoutSeconds) => ({ type: 'command', command, timeout: timeoutSeconds }),
  commandIn: (entry) => textIn(entry, 'command'),
  goneAnswer: (message) => JSON.stringify({ systemMessage: message }),
  shell: ['/bin/sh', '-c'],
  environment: (folder) => ({ CLAUDE_PROJECT_DIR: folder, CLAUDECODE: '1' }),
  obstacles: (settings) => settings.flatMap(obstaclesIn),
  otherFiles: ({ workFolder }) => [
    join(workFolder, '.claude', 'settings.local.json'),
    '/etc/claude-code/managed-settings.json',
  ],
}

function obstaclesIn(settings: Payload): readonly string[] {
  return [
    ...(isTrueIn(settings, 'disableAllHooks') ? ['"disableAllHooks" is true: no hook runs'] : []),
    ...(isTrueIn(settings, 'allowManagedHooksOnly')
      ? ['"allowManagedHooksOnly" is true: only the hooks of the administrator run']
      : []),
  ]
}
