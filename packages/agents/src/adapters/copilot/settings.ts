/** Where the hooks of GitHub Copilot CLI are configured: in a file of their own. */
import { join, sep } from 'node:path'
import { folderNamed, type HookSettings, type SettingsContext } from '../../protocol/settings/index.ts'
import { isTrueIn, textIn, type Payload } from '../../protocol/hooks/index.ts'

export const copilotSettings: HookSettings = {
  agent: 'copilot',
  shape: 'flat',
  preamble: { version: 1 },
  file: (scope, place) =>
    scope === 'user'
      ? join(homeOf(place), 'hooks', 'donecheck.json')
      : join(place.workFolder, '.github', 'hooks', 'donecheck.json'),
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
  otherFiles: (place) => [
    join(homeOf(place), 'settings.json'),
    join(place.workFolder, '.github', 'copilot', 'settings.json'),
    join(place.workFolder, '.github', 'copilot', 'settings.local.json'),
  ],
  projectTrust: {
    files: (place) => ['config.json', 'settings.json'].map((name) => join(homeOf(place), name)),
    doubt: (files, _settings, place) => {
      const { workFolder, environment } = place
      const isTrusted = files.flatMap(trustedIn).some((one) => isAtOrBelow(workFolder, one))
      if (isTrusted || environment['GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS'] === 'true') return undefined
      return `Copilot CLI runs the hooks of a project only where the folder is trusted, and with -p it says nothing of it; ${workFolder} is not: start copilot in it once and trust it, set GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true, or install with --scope user`
    },
  },
}

function homeOf(place: SettingsContext): string {
  return folderNamed('COPILOT_HOME', place, join(place.homeFolder, '.copilot'))
}

function trustedIn(file: Payload): readonly string[] {
  return [file['trusted_folders'], file['trustedFolders']]
    .flatMap((list: unknown): readonly unknown[] => (Array.isArray(list) ? list : []))
    .filter((one) => typeof one === 'string')
}

function isAtOrBelow(folder: string, place: string): boolean {
  return folder === place || folder.startsWith(`${place}${sep}`)
}
