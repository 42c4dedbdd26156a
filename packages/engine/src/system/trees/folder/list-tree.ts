import { lstat } from 'node:fs/promises'
import type { Buffer } from 'node:buffer'
import { findRepository, runGit, type Place } from '../../process/index.ts'
import { readdirSync, type Dirent, lstatSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { createHash } from 'node:crypto'
import { decidesByName, isLoadedUnasked } from '../../../analysis/sides/index.ts'
import { bytePathOfText, textOf, type BytePath, bytePathOf, fileUnder, type FilePath } from '../paths.ts'
import { unreadable, type TreeEntry } from './tree-entry.ts'

const cacheFolder = /^(__pycache__|\.(?:mypy|pytest|ruff)_cache)$/
const cacheFile = /\.tsbuildinfo$|^\.(?:eslint|stylelint)cache$/

/** Whether a file is such a cache. @param path relative to the work folder */
export function isCache(path: string): boolean {
  const parts = path.split('/')
  return parts.slice(0, -1).some((part) => cacheFolder.test(part)) || cacheFile.test(parts.at(-1) ?? '')
}

/** What counts in the folder: as git sees it, or else by a walk. */
export async function listTree(folder: string, signal: AbortSignal): Promise<Listing> {
  const paths = await listWithGit(folder, signal)
  return paths === undefined ? listByWalk(folder, '', signal) : { paths, unreadable: [] }
}

/** Lists a submodule or nested repository, whose creator cannot hide files by it. */
export async function listNested(folder: string, below: BytePath, signal: AbortSignal): Promise<Listing> {
  const name = textOf(below)
  const nested = `${folder}/${name}`
  // Git can only be asked in a folder whose name is valid text.
  const isAskable = bytePathOfText(name) === below && (await isRepository(nested))
  const paths = isAskable ? await listWithGit(nested, signal) : undefined
  if (paths === undefined) return listByWalk(folder, below, signal)
  return { paths: paths.map((path) => `${below}/${path}`), unreadable: [] }
}

async function isRepository(folder: string): Promise<boolean> {
  return lstat(`${folder}/.git`).then(
    () => true,
    () => false,
  )
}

const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']

/**
 * Lists tracked and untracked files that are not ignored. A path may be gone or a nested repository.
 * @returns undefined if git cannot tell
 */
async function listWithGit(folder: string, signal: AbortSignal): Promise<readonly BytePath[] | undefined> {
  const place = findRepository(folder)
  if (place === undefined) return undefined
  const [isIgnored, listed] = await Promise.all([
    isIgnoredFolder(place, signal),
    runGit(place, listing, signal),
  ])
  if (listed.exitCode !== 0 || isIgnored) return undefined
  return pathsIn(listed.stdout)
}

/** No repository can ignore its own root. Where git cannot say, the folder is taken for ignored. */
async function isIgnoredFolder(place: Place, signal: AbortSignal): Promise<boolean> {
  if (place.folder === place.root) return false
  const answer = await runGit(place, ['check-ignore', '--quiet', '--no-index', '.'], signal)
  return answer.exitCode !== 1
}

/** A path in a merge conflict is listed once for each side; an untracked repository has a slash at its end. */
function pathsIn(stdout: Buffer): readonly BytePath[] {
  const paths = bytePathOf(stdout)
    .split('\0')
    .map((path) => path.replace(/\/$/, ''))
  return paths.filter((path, index) => path !== '' && path !== paths[index - 1])
}

export interface Listing {
  readonly paths: readonly BytePath[]
  /** Folders that are there and cannot be listed. */
  readonly unreadable: readonly TreeEntry[]
}

/** Folders that hold no work: what a package manager or git itself keeps. */
const skippedFolders: readonly BytePath[] = ['.git', 'node_modules']

/** Folders that are listed in one go, before others may work. */
const foldersAtOnce = 64

/**
 * Lists everything below a path except folders; symlinks are not followed.
 * @param skipped folder names to leave out at any depth
 */
export async function listByWalk(
  folder: string,
  below: BytePath,
  signal: AbortSignal,
  skipped: readonly BytePath[] = skippedFolders,
): Promise<Listing> {
  const paths: BytePath[] = []
  const closed: TreeEntry[] = []
  const waiting: BytePath[] = [below]
  let listedFolders = 0
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (listedFolders++ % foldersAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    const listed = namesIn(fileUnder(folder, path))
    if (!Array.isArray(listed)) {
      closed.push(unreadable(path, listed.error))
      continue
    }
    for (const entry of listed) {
      const name = bytePathOf(entry.name)
      const child = path === '' ? name : `${path}/${name}`
      if (!entry.isDirectory()) paths.push(child)
      else if (!skipped.includes(name)) waiting.push(child)
    }
  }
  return { paths, unreadable: closed }
}

function namesIn(folder: FilePath): Dirent<Buffer>[] | { readonly error: unknown } {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    return { error }
  }
}

/** Folders of installed packages and of what is built from them. */
export const installed: readonly string[] = ['node_modules', '.venv', 'venv', 'vendor', 'target']

const ignoredListing = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']

/** What git ignores; whole folders as one, with `/` behind them. Undefined: there is no git that could tell. */
export async function listIgnored(
  folder: string,
  signal: AbortSignal,
): Promise<readonly BytePath[] | undefined> {
  const place = findRepository(folder)
  if (place === undefined) return undefined
  const { exitCode, stdout } = await runGit(place, ignoredListing, signal)
  return exitCode === 0 ? bytePathOf(stdout).split('\0').filter(Boolean) : undefined
}

/** A script of a shell, which a script of the checks may read in at some depth: its side is for the placing to say. */
const mayBeSourced = /^(?:[^/]+\/){0,3}[^/]+\.(?:ba|z|k)?sh$/u

/**
 * Lists ignored plain files that decide a check: loaded unasked, configuration or test files ignored one by one,
 * scripts of the checks, and shell scripts. Empty without git.
 */
export async function listDecidingIgnored(
  folder: string,
  scripts: readonly string[],
  signal: AbortSignal,
): Promise<readonly BytePath[]> {
  const found: BytePath[] = []
  // A file that is ignored by itself; of a folder that is, the files are what a tool has written.
  const single = new Set<BytePath>()
  for (const entry of (await listIgnored(folder, signal)) ?? []) {
    if (!entry.endsWith('/')) single.add(entry)
    else found.push(...(await filesBelow(folder, entry.slice(0, -1), signal)))
  }
  const wanted = new Set(scripts.map(bytePathOfText))
  return [...single, ...found]
    .filter(
      (path) =>
        wanted.has(path) ||
        isLoadedUnasked(textOf(path)) ||
        mayBeSourced.test(textOf(path)) ||
        (single.has(path) && decidesByName(textOf(path))),
    )
    .filter((path) => isFile(folder, path))
}

/** Written by a tool that configures a build: nobody reads them but who names their folder. */
const generatedRules = /(?:^|\/)(?:(?:GNUm|[Mm])akefile(?:\.\w+)?|[^/]+\.mk|build\.ninja)$/u

async function filesBelow(
  folder: string,
  below: BytePath,
  signal: AbortSignal,
): Promise<readonly BytePath[]> {
  // What is installed is looked at as such.
  if (below.split('/').some((part) => installed.includes(part))) return []
  const { paths } = await listByWalk(folder, below, signal, [...installed, '.git'])
  return paths.filter((path) => !generatedRules.test(path))
}

function isFile(folder: string, path: BytePath): boolean {
  return lstatSync(fileUnder(folder, path), { throwIfNoEntry: false })?.isFile() ?? false
}

/** Beyond it no file more is looked at: a tree of caches must not cost more than a check. */
const maxFiles = 50_000
const filesAtOnce = 512

/**
 * Digest over size, times and inode of ignored files (or installed packages without git). It changes if one of them
 * is written; within package folders, if a package, program or the manager's own record is.
 */
export async function ignoredStamp(folder: string, signal: AbortSignal): Promise<string> {
  const stamp = createHash('sha256')
  const waiting = (await ignoredIn(folder, signal)).toReversed()
  let looked = 0
  for (let path = waiting.pop(); path !== undefined && looked < maxFiles; path = waiting.pop()) {
    if (looked++ % filesAtOnce === 0) {
      await setImmediate()
      signal.throwIfAborted()
    }
    const stats = lstatSync(fileUnder(folder, path), { throwIfNoEntry: false })
    if (stats === undefined) continue
    const { size, mtimeMs, ctimeMs, ino, mode } = stats
    stamp.update(`${path}\0${size}\0${mtimeMs}\0${ctimeMs}\0${ino}\0${mode}\0`, 'latin1')
    if (stats.isDirectory() && isOpened(path)) waiting.push(...readChildren(folder, path).toReversed())
  }
  return stamp.digest('hex')
}

/** What git ignores, whole folders as one; without git what a walk leaves out. */
async function ignoredIn(folder: string, signal: AbortSignal): Promise<readonly BytePath[]> {
  const listed = await listIgnored(folder, signal)
  return listed?.map((path) => path.replace(/\/$/, '')) ?? skippedFolders.filter((name) => name !== '.git')
}

/** Inside a folder of installed packages: its own files, scopes, and `.bin`; not the files of each package. */
function isOpened(path: BytePath): boolean {
  const parts = path.split('/')
  const index = parts.findIndex((part) => installed.includes(part))
  if (index === -1) return true
  const [inside, deeper] = parts.slice(index + 1)
  if (inside === undefined) return true
  return deeper === undefined && (inside.startsWith('@') || inside === '.bin' || inside === 'bin')
}

function readChildren(folder: string, path: BytePath): readonly BytePath[] {
  try {
    return readdirSync(fileUnder(folder, path), { encoding: 'buffer' })
      .map((name) => `${path}/${bytePathOf(name)}`)
      .sort()
  } catch {
    return []
  }
}
