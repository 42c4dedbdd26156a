/** Where the hooks of Codex are configured. That it trusts them stands elsewhere: `trust.ts`. */
import { join } from 'node:path'
import { folderNamed, type HookSettings } from '../../protocol/settings/index.ts'
import { payloadOf, textIn } from '../../protocol/hooks/index.ts'

export const codexSettings: HookSettings = {
  agent: 'codex',
  shape: 'grouped',
  preamble: {},
  file: (scope, place) =>
    scope === 'user'
      ? join(folderNamed('CODEX_HOME', place, join(place.homeFolder, '.codex')), 'hooks.json')
      : join(place.workFolder, '.codex', 'hooks.json'),
  // Seconds.
  entry: (_registration, command, timeoutSeconds) => ({ type: 'command', command, timeout: timeoutSeconds }),
  commandIn: (entry) => textIn(entry, 'command'),
  goneAnswer: (message) => JSON.stringify({ systemMessage: message }),
  shell: ['/bin/sh', '-lc'],
  environment: () => ({}),
  obstacles: (settings) =>
    settings.some((one) => payloadOf(one['features'])?.['hooks'] === false)
      ? ['the feature "hooks" is switched off']
      : [],
  otherFiles: () => [],
}
