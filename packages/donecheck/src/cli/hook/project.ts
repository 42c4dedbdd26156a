import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, basename, resolve } from 'node:path'
import {
  readSessionFile,
  sessionFileOf,
  type SessionConfiguration,
  hasKnownRecord,
  readRegularFile,
} from '@donecheck/agents/internal/session'
import { realPath, type HomeEnvironment, stateHome, jsonOf } from '@donecheck/engine/internal/base'
import { defaultStoreFolder, isInside } from '@donecheck/engine/store'
import { payloadOf } from '@donecheck/agents/internal/protocol/host'

export interface HookedProject {
  readonly configuration: SessionConfiguration
  readonly sessionFile: string
  readonly workFolder: string
  readonly storeFolder: string
}

/** Finds the nearest configuration upward, or the user's; undefined if there is none. @throws {UsageError} */
export function findHookedProject(folder: string, home: HomeEnvironment): HookedProject | undefined {
  const real = realPath(folder)
  const tree = findWorkTree(real)
  for (const workFolder of foldersUpward(real)) {
    const found = projectAt(workFolder, workFolder, home)
    if (found !== undefined) return found
    const main = tree === undefined ? undefined : toMainCheckout(workFolder, tree)
    const linked = main === undefined ? undefined : projectAt(main, workFolder, home)
    if (tree !== undefined && linked !== undefined) return inLinkedTree(linked, tree, home)
  }
  return projectAt(undefined, tree?.root ?? real, home)
}

function projectAt(
  configured: string | undefined,
  workFolder: string,
  home: HomeEnvironment,
): HookedProject | undefined {
  const place = { ...home, workFolder: configured }
  const configuration = readSessionFile(place)
  if (configuration === undefined) return undefined
  const real = configuration.workFolder ?? workFolder
  return { configuration, sessionFile: sessionFileOf(place), ...placeOf(real, configuration, home) }
}

/** The configuration names the folder in the main checkout. */
function inLinkedTree(project: HookedProject, tree: WorkTree, home: HomeEnvironment): HookedProject {
  const main = dirname(tree.repository)
  if (!isInside(project.workFolder, main)) return project
  const same = join(tree.root, relative(main, realPath(project.workFolder)))
  return { ...project, ...placeOf(existsSync(same) ? same : tree.root, project.configuration, home) }
}

function placeOf(workFolder: string, { config }: SessionConfiguration, home: HomeEnvironment) {
  const { store } = config
  const storeFolder = typeof store === 'string' ? store : defaultStoreFolder({ ...home, workFolder })
  return { workFolder, storeFolder }
}

/** Missing records mean that they were removed. @returns undefined if hooks exist for other projects only */
export function problemOfLostInstallation(folder: string, home: HomeEnvironment): string | undefined {
  const records = join(stateHome(home), 'donecheck', 'installed')
  const projects = installedProjects(records)
  if (projects === undefined)
    return `its hooks are installed, but what they go by is gone (there is no record of it in ${records}): install them again`
  const tree = findWorkTree(folder)
  const main = tree === undefined ? undefined : toMainCheckout(folder, tree)
  const folders = [folder, main].flatMap((one) => (one === undefined ? [] : foldersUpward(one)))
  const lost = folders.find(
    (workFolder) => projects.includes(workFolder) || hasKnownRecord({ ...home, workFolder }),
  )
  return lost === undefined
    ? undefined
    : `its hooks were installed for ${lost}, but what is to be checked there is gone: install them again, or take them out with donecheck uninstall`
}

/** @returns undefined if there are no records at all */
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

export interface WorkTree {
  readonly root: string
  readonly repository: string
}

/** @returns undefined outside any work tree; the folder need not exist */
export function findWorkTree(folder: string): WorkTree | undefined {
  const root = foldersUpward(folder).find((tried) => statOf(join(tried, '.git')) !== undefined)
  if (root === undefined) return undefined
  return { root, repository: findLinkedRepository(root) ?? join(root, '.git') }
}

/** Follows the `.git` file of a linked work tree, checked in both directions. A submodule has none. */
function findLinkedRepository(root: string): string | undefined {
  const file = join(root, '.git')
  if (statOf(file)?.isFile() !== true) return undefined
  const named = /^gitdir: (.+)$/mu.exec(readSmallFile(file) ?? '')?.[1]
  if (named === undefined) return undefined
  const own = resolve(root, named.trim())
  const back = readSmallFile(join(own, 'gitdir'))?.trim()
  const common = readSmallFile(join(own, 'commondir'))?.trim()
  if (back === undefined || common === undefined) return undefined
  return realPath(resolve(own, back)) === realPath(file) ? realPath(resolve(own, common)) : undefined
}

/** Maps a path to the main checkout. @returns undefined if there is none */
export function toMainCheckout(folder: string, { root, repository }: WorkTree): string | undefined {
  const main = dirname(repository)
  if (main === root || basename(repository) !== '.git' || !isInside(folder, root)) return undefined
  return join(main, relative(root, folder))
}

export function areTreesOfOneRepository(one: string, other: string): boolean {
  const [first, second] = [findWorkTree(realPath(one)), findWorkTree(realPath(other))]
  return first !== undefined && first.repository === second?.repository && first.root !== second.root
}

function statOf(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const maxBytes = 1024 * 1024

/** @returns undefined if the file cannot be read */
export function readSmallFile(file: string): string | undefined {
  try {
    return readRegularFile(file, maxBytes)?.toString('utf8')
  } catch {
    return undefined
  }
}

/** The folder itself first. */
export function foldersUpward(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersUpward(above)]
}
