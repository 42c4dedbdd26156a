/** Which project a hook is called for, and what was configured for it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSessionFile, sessionFileOf, type SessionConfiguration } from '@donecheck/agents/session'
import { realPath, type HomeEnvironment } from '@donecheck/engine/base'
import { defaultStoreFolder } from '@donecheck/engine/store'
import { foldersUpward } from '../files.ts'

export interface HookedProject {
  readonly configuration: SessionConfiguration
  /** Where it stands, for messages. */
  readonly sessionFile: string
  readonly workFolder: string
  readonly storeFolder: string
}

/**
 * The nearest folder upward that has a configuration of its own, else the one of the user.
 * @returns undefined where nothing is configured: then hooks do nothing
 * @throws {UsageError} for one that cannot be read
 */
export function findHookedProject(folder: string, home: HomeEnvironment): HookedProject | undefined {
  const folders = foldersUpward(realPath(folder))
  for (const workFolder of folders) {
    const found = projectAt({ ...home, workFolder }, workFolder, home)
    if (found !== undefined) return found
  }
  const usersOwn = { ...home, workFolder: undefined }
  if (!existsSync(sessionFileOf(usersOwn))) return undefined
  const repository = folders.find((tried) => existsSync(join(tried, '.git')))
  return projectAt(usersOwn, repository ?? realPath(folder), home)
}

function projectAt(
  place: Parameters<typeof readSessionFile>[0],
  workFolder: string,
  home: HomeEnvironment,
): HookedProject | undefined {
  const configuration = readSessionFile(place)
  if (configuration === undefined) return undefined
  const { store } = configuration.config
  const real = configuration.workFolder ?? workFolder
  return {
    configuration,
    sessionFile: sessionFileOf(place),
    workFolder: real,
    storeFolder: typeof store === 'string' ? store : defaultStoreFolder({ ...home, workFolder: real }),
  }
}
