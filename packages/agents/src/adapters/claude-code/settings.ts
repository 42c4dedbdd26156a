import { join } from 'node:path'
import { folderNamed, type HookSettings } from '../../protocol/settings/index.ts'
import { isTrueIn, textIn, type Payload } from '../../protocol/host/index.ts'

export const claudeCodeSettings: HookSettings = {
  agent: 'claude-code',
  shape: 'grouped',
  preamble: {},
  file: (scope, place) =>
    scope === 'user'
      ? join(folderNamed('CLAUDE_CONFIG_DIR', place, join(place.homeFolder, '.claude')), 'settings.json')
      : join(place.workFolder, '.claude', 'settings.json'),
  // Seconds.
  entry: (_registration, command, timeoutSeconds) => ({ type: 'command', command, timeout: timeoutSeconds }),
  commandIn: (entry) => textIn(entry, 'command'),
  goneAnswer: (message) => JSON.stringify({ systemMessage: message }),
  shell: ['/bin/sh', '-c'],
  environment: (folder) => ({ CLAUDE_PROJECT_DIR: folder, CLAUDECODE: '1' }),
  obstacles: (settings, { environment }) => [
    ...settings.flatMap(obstaclesIn),
    // Seen on 2.1.330: it then looks for its settings in whatever folder it is started in.
    ...(environment['CLAUDE_CONFIG_DIR'] === ''
      ? ['CLAUDE_CONFIG_DIR is set to nothing, by which Claude Code does not read your settings: unset it']
      : []),
  ],
  otherFiles: ({ workFolder }) => [
    join(workFolder, '.claude', 'settings.local.json'),
    '/etc/claude-code/managed-settings.json',
  ],
}

function obstaclesIn(settings: Payload): readonly string[] {
  return [
    ...(isSet(settings['disableAllHooks']) ? ['"disableAllHooks" is true: no hook runs'] : []),
    ...(isTrueIn(settings, 'allowManagedHooksOnly')
      ? ['"allowManagedHooksOnly" is true: only the hooks of the administrator run']
      : []),
  ]
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 'false'
}
