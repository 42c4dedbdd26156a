import { lstat } from 'node:fs/promises'
import {
  bytePathOfText,
  textOf,
  type BytePath,
  bytePathOf,
  fileUnder,
  type FilePath,
  unreadable,
  type TreeEntry,
} from '../tree/tree-entry.ts'
import type { Buffer } from 'node:buffer'
import { findRepository, runGit, type Place } from '../run-git.ts'
import { readdirSync, type Dirent } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/**
 * What counts in the folder: as git sees it, or else by a walk.
 * @throws {DOMException} `AbortError` after an abort
 */
export async function listTree(folder: string, signal: AbortSignal): Promise<Listing> {
  const paths = await listWithGit(folder, signal)
  return paths === undefined ? listByWalk(folder, '', signal) : { paths, unreadable: [] }
}

/**
 * The same for a folder that git named as one entry: a submodule, or a repository inside this one. Whoever made it
 * cannot hide its files by that.
 * @throws {DOMException} `AbortError` after an abort
 */
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
 * Tracked files and untracked ones that are not ignored, those below the folder alone. A path may be gone from the
 * disk, or be a folder: a submodule or a repository inside this one. Undefined where git cannot say: it is not
 * installed, the folder is in no repository, or the repository ignores the folder or is broken.
 * @throws {DOMException} `AbortError` after an abort
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
export const skippedFolders: readonly BytePath[] = ['.git', 'node_modules']

/** Folders that are listed in one go, before others may work. */
const foldersAtOnce = 64

/**
 * Everything below a part of the folder that is not a folder itself. Symlinks are listed, never followed.
 * @param skipped names of folders that are left out at any depth
 * @throws {DOMException} `AbortError` after an abort
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
