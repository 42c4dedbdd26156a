/** Where the hooks of Cursor are configured. */
import { join } from 'node:path'
import { textIn } from '../../protocol/hooks/index.ts'
import type { HookSettings } from '../../protocol/settings/index.ts'

/** How often Cursor follows up at most: well above the bound of donecheck, which counts by itself and says what it was. */
const loopLimit = 100

export const cursorSettings: HookSettings = {
  agent: 'cursor',
  shape: 'flat',
  preamble: { version: 1 },
  file: (scope, { homeFolder, workFolder }) =>
    join(scope === 'user' ? homeFolder : workFolder, '.cursor', 'hooks.json'),
  // Seconds.
  entry: ({ verifies }, command, timeoutSeconds) => ({
    command,
    timeout: timeoutSeconds,
    ...(verifies === true ? { loop_limit: loopLimit } : {}),
  }),
  commandIn: (entry) => textIn(entry, 'command'),
  goneAnswer: () => '{}',
  shell: ['/bin/sh', '-c'],
  environment: (folder) => ({ CURSOR_PROJECT_DIR: folder, CLAUDE_PROJECT_DIR: folder }),
  obstacles: () => [],
  otherFiles: () => ['/etc/cursor/hooks.json'],
}
