/** Looks at the machine and the work folder once, before the agent has run: what is to be writable, fixed and hidden. */
import { lstat, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { UsageError } from '../../base/index.ts'
import { gitPlaces, findGitSettings } from './git-paths.ts'
import { treeTraces, type Watched } from './left-behind.ts'
import type { Ground, MountTarget } from './mount-plan.ts'
import { isWithin, realPath, realPaths } from './real-path.ts'
import type { SandboxOptions } from './sandbox-options.ts'
import {
  privatePlacesOfConfig,
  privatePlacesOfHome,
  privatePlacesOfSystem,
  privatePlaceVariables,
} from '../../analysis/protect/index.ts'

export interface Survey {
  readonly ground: Ground
  /** Files that must not have come into being when a process has ended. */
  readonly absent: readonly string[]
  /** Where a process could leave something that works outside. */
  readonly watched: Watched
}

/** Of these, parts of the system that programs need and that have no doors in them. */
const shownDoors = ['/run/current-system', '/run/wrappers', '/run/booted-system', '/run/opengl-driver']

/** Undefined: there is no work folder yet. */
export async function survey(options: SandboxOptions): Promise<Survey | undefined> {
  const workFolder = await realPath(options.workFolder)
  if (workFolder === undefined || !(await stat(workFolder)).isDirectory()) return undefined
  const own = await gitPlaces(workFolder)
  const outside = own.writable.filter((path) => !isWithin(workFolder, path))
  const { gitFolders, privileged } = await treeTraces([workFolder, ...outside])
  const nested = await findGitSettings(
    [...gitFolders].filter((path) => !own.fixed.includes(join(path, 'config'))),
  )
  const git = {
    writable: own.writable,
    fixed: [...own.fixed, ...nested.fixed],
    absent: [...own.absent, ...nested.absent],
  }
  const protectedPaths = (options.protectedPaths ?? []).map((path) => resolve(workFolder, path))
  const temporaryFolders = await realFolders(['/tmp', '/var/tmp'])
  const ground: Ground = {
    temporaryFolders,
    ...(options.temporaryFolder === undefined
      ? {}
      : { givenTemporary: await neededFolder('temporaryFolder', options.temporaryFolder) }),
    doors: await realFolders(['/run', '/var/run']),
    shown: [...(await realPaths(shownDoors)), ...(await nameServers(options))],
    secrets: await secretPlaces(options),
    writable: [...(await writableFolders(options)), ...git.writable],
    workFolder,
    fixed: [...(await realPaths(protectedPaths)), ...git.fixed],
    denied: await statPaths((options.deniedPaths ?? []).map((path) => resolve(workFolder, path))),
  }
  return {
    ground,
    absent: git.absent,
    watched: { workFolder, gitFolders: outside, fixed: ground.fixed, privileged },
  }
}

async function secretPlaces(options: SandboxOptions): Promise<readonly MountTarget[]> {
  const all = privatePlaces(options.homeFolder ?? homedir(), options.environment ?? process.env)
  const readable = new Set(await realPaths(options.readablePaths ?? []))
  return (await statPaths(all)).filter(({ path }) => !readable.has(path))
}

/** Those that exist, and what they are. Neither the root nor a device is hidden. */
async function statPaths(paths: readonly string[]): Promise<readonly MountTarget[]> {
  const found = await realPaths(paths)
  const kinds = await Promise.all(found.map((path) => stat(path).catch(() => undefined)))
  return found.flatMap((path, index) => {
    const kind = kinds[index]
    const isLeft = kind === undefined || kind.isCharacterDevice() || path === '/'
    return isLeft ? [] : [{ path, isFolder: kind.isDirectory() }]
  })
}

/** Without those that are links to another one. */
async function realFolders(paths: readonly string[]): Promise<readonly string[]> {
  const kinds = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)))
  return paths.filter((_, index) => kinds[index]?.isDirectory() === true)
}

/** With a network, names must be found: the file that says how often lies in `/run`. */
async function nameServers({ network }: SandboxOptions): Promise<readonly string[]> {
  const file = network === 'on' ? await realPath('/etc/resolv.conf') : undefined
  return file?.startsWith('/run/') === true ? [file] : []
}

async function writableFolders({ writableFolders = [] }: SandboxOptions): Promise<readonly string[]> {
  return Promise.all(writableFolders.map((folder) => neededFolder('writableFolders', folder)))
}

async function neededFolder(option: string, folder: string): Promise<string> {
  if (!isAbsolute(folder))
    throw new UsageError(
      `${option}: ${JSON.stringify(folder)} is no absolute path; give one, such as ${join('/', folder)}`,
    )
  const path = await realPath(folder)
  if (path !== undefined && (await stat(path)).isDirectory()) return path
  throw new UsageError(`${option}: there is no folder ${folder}; make it first, or leave it out`)
}

/** Absolute paths, whether they exist or not. */
function privatePlaces(
  homeFolder: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const config = environment['XDG_CONFIG_HOME']
  const state = environment['XDG_STATE_HOME']
  const configs = [
    join(homeFolder, '.config'),
    ...(config !== undefined && isAbsolute(config) ? [config] : []),
  ]
  return [
    ...privatePlacesOfHome.map((place) => join(homeFolder, place)),
    ...configs.flatMap((folder) => privatePlacesOfConfig.map((place) => join(folder, place))),
    ...(state !== undefined && isAbsolute(state) ? [join(state, 'donecheck')] : []),
    ...privatePlacesOfSystem,
    ...privatePlaceVariables.flatMap((name) => {
      const place = environment[name]
      return place !== undefined && isAbsolute(place) && place !== '/' ? [place] : []
    }),
  ]
}
