/** Which project a hook is called for, and what was configured for it. */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readRideFile, rideFileOf, type RideConfiguration } from '../../ride/index.ts'
import type { HomeSurroundings } from '../../state-home.ts'
import { defaultStoreFolder } from '../../store/index.ts'

export interface RidingProject {
  readonly configuration: RideConfiguration
  /** Where it stands, for messages. */
  readonly rideFile: string
  readonly workFolder: string
  readonly storeFolder: string
}

/**
 * The nearest folder upward that has a configuration of its own, else the one of the user.
 * @returns undefined where nothing is configured: then hooks do nothing
 * @throws {UsageError} for one that cannot be read
 */
export function ridingProject(folder: string, surroundings: HomeSurroundings): RidingProject | undefined {
  const start = realFolder(folder)
  for (let tried = start; ; tried = dirname(tried)) {
    const found = projectAt({ ...surroundings, workFolder: tried }, tried, surroundings)
    if (found !== undefined) return found
    if (dirname(tried) === tried) break
  }
  const usersOwn = { ...surroundings, workFolder: undefined }
  if (!existsSync(rideFileOf(usersOwn))) return undefined
  return projectAt(usersOwn, repositoryOf(start), surroundings)
}

function projectAt(
  place: Parameters<typeof readRideFile>[0],
  workFolder: string,
  surroundings: HomeSurroundings,
): RidingProject | undefined {
  const configuration = readRideFile(place)
  if (configuration === undefined) return undefined
  const { store } = configuration.config
  const real = configuration.workFolder ?? workFolder
  return {
    configuration,
    rideFile: rideFileOf(place),
    workFolder: real,
    storeFolder:
      typeof store === 'string' ? store : defaultStoreFolder({ ...surroundings, workFolder: real }),
  }
}

/**
 * @param said where the agent says that it works
 * @param named what its own variable holds; those of other agents, in whose terminal it may have been started, are no word of its
 */
export function folderOfCall(
  said: string | undefined,
  named: string | undefined,
  currentFolder: string,
): string {
  return named === undefined || named === '' ? (said ?? currentFolder) : named
}

function repositoryOf(folder: string): string {
  for (let tried = folder; ; tried = dirname(tried)) {
    if (existsSync(join(tried, '.git'))) return tried
    if (dirname(tried) === tried) return folder
  }
}

export function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return folder
  }
}
