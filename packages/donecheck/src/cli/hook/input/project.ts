import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { readSessionFile, sessionFileOf, type SessionConfiguration, hasKnownRecord } from '@donecheck/agents/session'
import { realPath, type HomeEnvironment, stateHome, jsonOf } from '@donecheck/engine/base'
import { defaultStoreFolder, isInside } from '@donecheck/engine/store'
import { foldersUpward, readSmallFile } from '../files.ts'
import { payloadOf } from '@donecheck/agents/host'
import { findWorkTree, toMainCheckout, type WorkTree } from './linked-worktree.ts'

export interface HookedProject {
  readonly configuration: SessionConfiguration
  readonly sessionFile: string
  readonly workFolder: string
  readonly storeFolder: string
}

/**
 * Finds the nearest configuration upward, or the user's; a linked work tree uses that of the main checkout.
 * @returns undefined if nothing is configured @throws {UsageError} if it cannot be read
 */
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

/**
 * A hook runs only where one was installed, so missing records mean that they were removed.
 * @returns undefined if the hooks were installed for other projects
 */
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
