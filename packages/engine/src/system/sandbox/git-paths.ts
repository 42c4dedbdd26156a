/**
 * An agent must be able to commit, and must not be able to make git run a program for whoever calls it next outside of
 * the sandbox: hooks, and what `config` can name (`core.fsmonitor`, filters), are out of its reach.
 */
import { lstat, mkdir, readFile, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { realPath } from './real-path.ts'

export interface GitPlaces {
  /** Folders that git writes to, which may lie outside of the work folder. */
  readonly writable: readonly string[]
  /** Exist, and must stay as they are. */
  readonly fixed: readonly string[]
  /** Do not exist, and must not come into being: git would look for its configuration elsewhere. */
  readonly absent: readonly string[]
}

const none: GitPlaces = { writable: [], fixed: [], absent: [] }
const fixedNames = ['config', 'config.worktree', 'hooks', 'commondir', 'gitdir'] as const
/** Of repositories in `modules/`, at most so deep. */
const maxModuleDepth = 4

/** Asked once, before the agent has run: a `.git` file that it wrote itself could name any folder. */
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
  return { writable: known, ...(await findGitSettings([...new Set(all)])) }
}

/** Of git folders: what makes git run programs. */
export async function findGitSettings(folders: readonly string[]): Promise<Omit<GitPlaces, 'writable'>> {
  const each = await Promise.all(folders.map(placesOfOne))
  return { fixed: each.flatMap(({ fixed }) => fixed), absent: each.flatMap(({ absent }) => absent) }
}

async function placesOfOne(folder: string): Promise<Omit<GitPlaces, 'writable'>> {
  const isLinked = dirname(folder).endsWith('/.git/worktrees')
  // A folder that is missing could be made by the agent, and be full of hooks.
  if (!isLinked) await mkdir(join(folder, 'hooks')).catch(() => undefined)
  const paths = await Promise.all(
    fixedNames.map(async (name) => ({ name, exists: (await realPath(join(folder, name))) !== undefined })),
  )
  const fixed = paths.filter(({ exists }) => exists).map(({ name }) => join(folder, name))
  const isCommonAbsent = paths.some(({ name, exists }) => name === 'commondir' && !exists)
  return { fixed, absent: isCommonAbsent ? [join(folder, 'commondir')] : [] }
}

/** Git passes over a `.git` folder without one, such as sandboxes of other agents leave behind: nothing is laid into it. */
async function hasHead(folder: string): Promise<boolean> {
  return (await lstat(join(folder, 'HEAD')).catch(() => undefined)) !== undefined
}

/** The git folder, and those of submodules in it. */
async function withModules(folder: string, depth: number): Promise<readonly string[]> {
  if (depth === 0) return [folder]
  const modules = await foldersIn(join(folder, 'modules'), depth)
  const deeper = await Promise.all(modules.map((module) => withModules(module, depth - 1)))
  return [folder, ...deeper.flat()]
}

/** A submodule's name may have slashes in it. */
async function foldersIn(folder: string, depth: number): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
  const isGit = await Promise.all(found.map(hasHead))
  const nested = found.filter((_, index) => isGit[index] === false && depth > 1)
  const below = await Promise.all(nested.map((path) => foldersIn(path, depth - 1)))
  return [...found.filter((_, index) => isGit[index]), ...below.flat()]
}
