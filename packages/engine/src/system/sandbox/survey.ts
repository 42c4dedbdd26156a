/** Looks at the machine and the work folder once, before the agent has run: what is to be writable, fixed and hidden. */
import { lstat, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import {
  privatePlacesOfConfig,
  privatePlacesOfHome,
  privatePlacesOfSystem,
  privatePlaceVariables,
} from '../../analysis/protect/index.ts'
import { roomPlaces, UsageError } from '../../base/index.ts'
import type { Ground, MountTarget } from './mount-plan.ts'
import type { SandboxOptions } from './sandbox-options.ts'

export interface Survey {
  readonly ground: Ground
  /** Files that must not exist when a process has ended. */
  readonly absent: readonly string[]
}

/** System parts below doors that programs need and that contain no sockets. */
const shownDoors = ['/run/current-system', '/run/wrappers', '/run/booted-system', '/run/opengl-driver']

/** @returns undefined if the work folder does not exist yet */
export async function survey(options: SandboxOptions): Promise<Survey | undefined> {
  const workFolder = await realPath(options.workFolder)
  if (workFolder === undefined || !(await stat(workFolder)).isDirectory()) return undefined
  const git = await gitPlaces(workFolder)
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
  return { ground, absent: git.absent }
}

async function secretPlaces(options: SandboxOptions): Promise<readonly MountTarget[]> {
  const all = privatePlaces(options.homeFolder ?? homedir(), options.environment ?? process.env)
  return statPaths(all)
}

async function statPaths(paths: readonly string[]): Promise<readonly MountTarget[]> {
  const found = await realPaths(paths)
  const kinds = await Promise.all(found.map((path) => stat(path).catch(() => undefined)))
  return found.flatMap((path, index) => {
    const kind = kinds[index]
    const isLeft = kind === undefined || kind.isCharacterDevice() || path === '/'
    return isLeft ? [] : [{ path, isFolder: kind.isDirectory() }]
  })
}

async function realFolders(paths: readonly string[]): Promise<readonly string[]> {
  const kinds = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)))
  return paths.filter((_, index) => kinds[index]?.isDirectory() === true)
}

/** With a network, name lookup needs a file that is often in `/run`. */
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
    ...roomPlaces({ environment, homeFolder }),
    ...privatePlacesOfSystem,
    ...privatePlaceVariables.flatMap((name) => {
      const place = environment[name]
      return place !== undefined && isAbsolute(place) && place !== '/' ? [place] : []
    }),
  ]
}

interface GitPlaces {
  readonly writable: readonly string[]
  /** Existing paths that must not change. */
  readonly fixed: readonly string[]
  /** Missing paths that must stay missing: git would read configuration there. */
  readonly absent: readonly string[]
}

const none: GitPlaces = { writable: [], fixed: [], absent: [] }
const fixedNames = ['config', 'config.worktree', 'hooks', 'commondir', 'gitdir'] as const
/** Depth of repositories in `modules/`. */
const maxModuleDepth = 4

/** Called before the agent runs: a `.git` file that it wrote could name any folder. */
export async function gitPlaces(workFolder: string): Promise<GitPlaces> {
  const entry = join(workFolder, '.git')
  const found = await stat(entry).catch(() => undefined)
  if (found === undefined) return none
  if (found.isDirectory()) return (await hasHead(entry)) ? repositoryPlaces([await realPath(entry)]) : none
  const gitFolder = await namedFolder(entry, /^gitdir: (?<path>.+)/, workFolder)
  if (gitFolder === undefined || !/\/\.git\/(?:worktrees|modules)\//.test(gitFolder)) return none
  const common = await namedFolder(join(gitFolder, 'commondir'), /^(?<path>.+)/, gitFolder)
  const places = await repositoryPlaces([common, gitFolder])
  return { ...places, fixed: [entry, ...places.fixed] }
}

async function namedFolder(file: string, line: RegExp, from: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const path = line.exec(text)?.groups?.['path']
  return path === undefined ? undefined : realPath(resolve(from, path.trim()))
}

async function repositoryPlaces(folders: readonly (string | undefined)[]): Promise<GitPlaces> {
  const known = folders.filter((folder) => folder !== undefined)
  const all = (await Promise.all(known.map((folder) => withModules(folder, maxModuleDepth)))).flat()
  const each = await Promise.all([...new Set(all)].map(placesOfOne))
  return {
    writable: known,
    fixed: each.flatMap(({ fixed }) => fixed),
    absent: each.flatMap(({ absent }) => absent),
  }
}

async function placesOfOne(folder: string): Promise<Omit<GitPlaces, 'writable'>> {
  const isLinked = dirname(folder).endsWith('/.git/worktrees')
  // The agent could create a missing folder with hooks.
  if (!isLinked) await mkdir(join(folder, 'hooks')).catch(() => undefined)
  const paths = await Promise.all(
    fixedNames.map(async (name) => ({ name, exists: (await realPath(join(folder, name))) !== undefined })),
  )
  const fixed = paths.filter(({ exists }) => exists).map(({ name }) => join(folder, name))
  const isCommonAbsent = paths.some(({ name, exists }) => name === 'commondir' && !exists)
  return { fixed, absent: isCommonAbsent ? [join(folder, 'commondir')] : [] }
}

/** Git ignores a `.git` folder without HEAD, such as agent sandboxes leave behind. */
async function hasHead(folder: string): Promise<boolean> {
  return (await lstat(join(folder, 'HEAD')).catch(() => undefined)) !== undefined
}

async function withModules(folder: string, depth: number): Promise<readonly string[]> {
  if (depth === 0) return [folder]
  const modules = await foldersIn(join(folder, 'modules'), depth)
  const deeper = await Promise.all(modules.map((module) => withModules(module, depth - 1)))
  return [folder, ...deeper.flat()]
}

async function foldersIn(folder: string, depth: number): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
  const isGit = await Promise.all(found.map(hasHead))
  const nested = found.filter((_, index) => isGit[index] === false && depth > 1)
  const below = await Promise.all(nested.map((path) => foldersIn(path, depth - 1)))
  return [...found.filter((_, index) => isGit[index]), ...below.flat()]
}

/** Listening sockets: a read-only mount does not prevent connecting to a server outside the sandbox. */
export async function listeningSockets(): Promise<readonly MountTarget[]> {
  const paths = await realPaths(socketPathsIn(await readFile('/proc/net/unix', 'utf8').catch(() => '')))
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)))
  // The path may have been replaced since.
  return paths
    .filter((_, index) => found[index]?.isSocket() === true)
    .map((path) => ({ path, isFolder: false }))
}

/** Kernel table: address, count, protocol, flags, type, state, inode, path; abstract ones start with `@`. */
export function socketPathsIn(table: string): readonly string[] {
  const paths = table.split('\n').flatMap((line) => {
    const path = /^[0-9a-f]+: [0-9A-F]+ [0-9A-F]+ [0-9A-F]+ [0-9A-F]+ [0-9A-F]+ +\d+ (?<path>\/.*)$/.exec(
      line,
    )
    return path?.groups?.['path'] ?? []
  })
  return [...new Set(paths)]
}

/** @returns undefined if missing or unreachable */
export function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}

async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(realPath))
  return [...new Set(found.filter((path) => path !== undefined))]
}
