/** Files that git ignores: which of them decide a check all the same, and whether one was written. */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { decidesByName, isLoadedUnasked } from '../../../analysis/sides/index.ts'
import { bytePathOf, bytePathOfText, fileUnder, textOf, type BytePath } from '../tree/tree-entry.ts'
import { installed } from '../clean-copy/dependencies.ts'
import { listByWalk, skippedFolders } from './list-tree.ts'
import { findRepository, runGit } from '../run-git.ts'

const listing = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']

/**
 * What git ignores; whole folders as one, with `/` behind them. Undefined: there is no git that could tell.
 * @throws {DOMException} `AbortError` after an abort
 */
export async function listIgnored(
  folder: string,
  signal: AbortSignal,
): Promise<readonly BytePath[] | undefined> {
  const place = findRepository(folder)
  if (place === undefined) return undefined
  const { exitCode, stdout } = await runGit(place, listing, signal)
  return exitCode === 0 ? bytePathOf(stdout).split('\0').filter(Boolean) : undefined
}

/** A script of a shell, which a script of the checks may read in at some depth: its side is for the placing to say. */
const mayBeSourced = /^(?:[^/]+\/){0,3}[^/]+\.(?:ba|z|k)?sh$/u

/**
 * What a runner or an interpreter loads unasked, outside of installed packages, configuration and files among the tests that are
 * ignored by themselves, these scripts of the checks, and scripts of a shell that others may read in, where they are plain files
 * that git ignores. Without git nothing is ignored.
 * @throws {DOMException} `AbortError` after an abort
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
 * A digest over size, times and inode of what the fingerprint leaves out: files that git ignores, or installed packages
 * where there is no git. It is another one as soon as one of them was written; inside a package folder only as soon as a package, a
 * program or the package manager's own record was.
 * @throws {DOMException} `AbortError` after an abort
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
