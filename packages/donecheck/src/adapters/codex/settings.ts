/** Where the hooks of Codex are configured. That it trusts them stands elsewhere: `trust.ts`. */
import { join } from 'node:path'
import { payloadOf, textIn, type HookSettings } from '../../agents/index.ts'

export const codexSettings: HookSettings = {
  agent: 'codex',
  shape: 'grouped',
  preamble: {},
  file: (scope, { homeFolder, workFolder, environment }) =>
    scope === 'user'
      ? join(environment['CODEX_HOME'] ?? join(homeFolder, '.codex'), 'hooks.json')
      : join(workFolder, '.codex', 'hooks.json'),
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
