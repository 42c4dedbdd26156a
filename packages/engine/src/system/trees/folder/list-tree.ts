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

/** @param path relative to the work folder */
export function isCache(path: string): boolean {
  const parts = path.split('/')
  return parts.slice(0, -1).some((part) => cacheFolder.test(part)) || cacheFile.test(parts.at(-1) ?? '')
}

export async function listTree(folder: string, signal: AbortSignal): Promise<Listing> {
  const paths = await listWithGit(folder, signal)
  return paths === undefined ? listByWalk(folder, '', signal) : { paths, unreadable: [] }
}

/** Lists a submodule or nested repository without its own ignore rules. */
export async function listNested(folder: string, below: BytePath, signal: AbortSignal): Promise<Listing> {
  const name = textOf(below)
  const nested = `${folder}/${name}`
  // Git needs a valid text as folder name.
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

/** Files not ignored, nested repositories, or gone paths. @returns undefined if git fails */
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

/** A repository cannot ignore its root. If git fails, the folder counts as ignored. */
async function isIgnoredFolder(place: Place, signal: AbortSignal): Promise<boolean> {
  if (place.folder === place.root) return false
  const answer = await runGit(place, ['check-ignore', '--quiet', '--no-index', '.'], signal)
  return answer.exitCode !== 1
}

/** Conflicts list a path once per side; an untracked repository ends with a slash. */
function pathsIn(stdout: Buffer): readonly BytePath[] {
  const paths = bytePathOf(stdout)
    .split('\0')
    .map((path) => path.replace(/\/$/, ''))
  return paths.filter((path, index) => path !== '' && path !== paths[index - 1])
}

export interface Listing {
  readonly paths: readonly BytePath[]
  readonly unreadable: readonly TreeEntry[]
}

/** Folders of package managers or git. */
const skippedFolders: readonly BytePath[] = ['.git', 'node_modules']

/** Folders listed before yielding to other work. */
const foldersAtOnce = 64

/** Lists everything but folders; follows no symlinks. @param skipped folder names, at any depth */
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

/** Folders of packages and build output. */
export const installed: readonly string[] = ['node_modules', '.venv', 'venv', 'vendor', 'target']

const ignoredListing = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']

/** Folders as one, with a trailing `/`. @returns undefined without git */
export async function listIgnored(
  folder: string,
  signal: AbortSignal,
): Promise<readonly BytePath[] | undefined> {
  const place = findRepository(folder)
  if (place === undefined) return undefined
  const { exitCode, stdout } = await runGit(place, ignoredListing, signal)
  return exitCode === 0 ? bytePathOf(stdout).split('\0').filter(Boolean) : undefined
}

/** A shell script that check scripts may include indirectly; the sides decide. */
const mayBeSourced = /^(?:[^/]+\/){0,3}[^/]+\.(?:ba|z|k)?sh$/u

/** Ignored files that may decide a check: loaded unasked, settings, tests, scripts. Empty without git. */
export async function listDecidingIgnored(
  folder: string,
  scripts: readonly string[],
  signal: AbortSignal,
): Promise<readonly BytePath[]> {
  const found: BytePath[] = []
  // Individually ignored files; tools generate those of ignored folders.
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

/** Generated by build configuration, and read only by folder name. */
const generatedRules = /(?:^|\/)(?:(?:GNUm|[Mm])akefile(?:\.\w+)?|[^/]+\.mk|build\.ninja)$/u

async function filesBelow(
  folder: string,
  below: BytePath,
  signal: AbortSignal,
): Promise<readonly BytePath[]> {
  if (below.split('/').some((part) => installed.includes(part))) return []
  const { paths } = await listByWalk(folder, below, signal, [...installed, '.git'])
  return paths.filter((path) => !generatedRules.test(path))
}

function isFile(folder: string, path: BytePath): boolean {
  return lstatSync(fileUnder(folder, path), { throwIfNoEntry: false })?.isFile() ?? false
}

/** Stops listing here: a tree of caches must not cost more than a check. */
const maxFiles = 50_000
const filesAtOnce = 512

/** Digest of size, times, inode of ignored files; in package folders only of packages and programs. */
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

/** Ignored paths, folders as one; without git what a walk skips. */
async function ignoredIn(folder: string, signal: AbortSignal): Promise<readonly BytePath[]> {
  const listed = await listIgnored(folder, signal)
  return listed?.map((path) => path.replace(/\/$/, '')) ?? skippedFolders.filter((name) => name !== '.git')
}

/** Package folders: own files, scopes and `.bin`, not each package's files. */
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
