/** Which project a hook is called for, and what was configured for it. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  readSessionFile,
  sessionFileOf,
  type SessionConfiguration,
  hasKnownRecord,
} from '@donecheck/agents/session'
import { realPath, type HomeEnvironment, stateHome, jsonOf } from '@donecheck/engine/base'
import { defaultStoreFolder } from '@donecheck/engine/store'
import { foldersUpward, readSmallFile } from '../files.ts'
import { payloadOf } from '@donecheck/agents/hooks'

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

/**
 * A hook fires only where one was installed: nothing of that on record means that the record is gone, not that nothing is to be
 * checked.
 * @param folder where the agent works, and for which nothing is configured
 * @returns what to say; undefined: the hooks were installed for others
 */
export function problemOfLostInstallation(folder: string, home: HomeEnvironment): string | undefined {
  const records = join(stateHome(home), 'donecheck', 'installed')
  const projects = installedProjects(records)
  if (projects === undefined)
    return `its hooks are installed, but what they go by is gone (there is no record of it in ${records}): install them again`
  const lost = foldersUpward(folder).find(
    (workFolder) => projects.includes(workFolder) || hasKnownRecord({ ...home, workFolder }),
  )
  return lost === undefined
    ? undefined
    : `its hooks were installed for ${lost}, but what is to be checked there is gone: install them again, or take them out with donecheck uninstall`
}

/** Undefined: nothing at all is on record. A record that cannot be read names no project. */
function installedProjects(folder: string): readonly string[] | undefined {
  try {
    const records = readdirSync(folder).filter((name) => name.endsWith('.json'))
    return records.length === 0 ? undefined : records.flatMap((name) => projectsIn(join(folder, name)))
  } catch {
    return undefined
  }
}

function projectsIn(file: string): readonly string[] {
  const { projects } = payloadOf(jsonOf(readSmallFile(file) ?? '')) ?? {}
  return Array.isArray(projects) ? projects.filter((one) => typeof one === 'string') : []
}
