import { installed } from '../tree/list-tree.ts'
import {
  constants,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  existsSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileUnder, parentOf, textOf, type BytePath, type TreeEntry, isFolder } from '../tree/tree-entry.ts'
import type { ManifestEntry } from '../snapshots.ts'
import { cp, opendir } from 'node:fs/promises'

/** What becomes of installed packages: links to those of the work folder, copies of them, or nothing. */
export type Dependencies = 'link' | 'copy' | 'off'

interface DependenciesRequest {
  readonly original: string
  readonly folder: string
  /** The top of the copy: the folder itself, or the place of the repository's root. */
  readonly root: string
  readonly dependencies: Dependencies
  readonly signal: AbortSignal
}

/** In every folder of the tree, and above it up to the root of the repository: what is installed there and not listed. */
export async function bringDependencies(
  request: DependenciesRequest,
  entries: readonly (TreeEntry | ManifestEntry)[],
): Promise<void> {
  const { original, folder, root, dependencies, signal } = request
  if (dependencies === 'off') return
  const folders = new Set<BytePath>([''])
  for (const { path } of entries)
    for (let parent = parentOf(path); !folders.has(parent); parent = parentOf(parent)) folders.add(parent)
  for (const parent of folders) {
    signal.throwIfAborted()
    // A name that is not valid text is no place where packages are installed.
    for (const name of typeof fileUnder('', parent) === 'string' ? installed : []) {
      const path = parent === '' ? name : `${textOf(parent)}/${name}`
      if (folders.has(path)) continue
      await bring(join(original, path), join(folder, path), request)
    }
  }
  const above = relative(root, folder).split(sep).filter(Boolean)
  for (const [depth] of above.entries()) {
    const up = Array.from({ length: depth + 1 }, () => '..').join(sep)
    await bring(join(original, up, 'node_modules'), join(folder, up, 'node_modules'), request)
  }
}

async function bring(from: string, to: string, request: DependenciesRequest): Promise<void> {
  if (!isFolder(from) || lstatSync(to, { throwIfNoEntry: false }) !== undefined || !isFolder(dirname(to)))
    return
  if (basename(from) === 'target') await copyBuilt(realpathSync(from), to, request.signal)
  else if (request.dependencies === 'copy')
    cpSync(realpathSync(from), to, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    })
  else if (from.endsWith('node_modules')) linkPackages(from, to, request)
  else symlinkSync(realpathSync(from), to)
}

/** What tools keep there between two runs is a leftover. */
const keptDotFolders = ['.bin', '.pnpm', '.package-lock.json', '.modules.yaml', '.yarn-state.yml']

/**
 * Each package is linked for itself: a package of this repository (a workspace) is then the one in the copy, and what
 * tools write beside them lands in the copy.
 */
function linkPackages(from: string, to: string, request: DependenciesRequest): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (name.startsWith('.') && !keptDotFolders.includes(name)) continue
    const source = join(from, name)
    const isScope = name.startsWith('@') || name === '.bin'
    if (isScope && lstatSync(source).isDirectory()) linkPackages(source, join(to, name), request)
    else linkPackage(source, join(to, name), request)
  }
}

function linkPackage(from: string, to: string, { original, folder }: DependenciesRequest): void {
  const real = resolveRealPath(from)
  if (real === undefined) return
  const way = relative(original, real)
  const isOwn = !way.startsWith('..') && !way.split(sep).includes('node_modules')
  symlinkSync(isOwn ? join(folder, way) : real, to)
}

/** Undefined: a link to nothing. */
function resolveRealPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Beyond it a copy would cost more than most checks. */
const maxFiles = 100_000
const maxBytes = 4 * 1024 ** 3

/**
 * Copies what was built, so that what a check builds anew stays in the copy: through a link, the earlier tests would take
 * the place of the delivered ones in the work folder. Times are kept, because build tools compare them with those of the
 * sources. What is too large is linked as data, as a whole or not at all.
 * @param from a real path
 */
async function copyBuilt(from: string, to: string, signal: AbortSignal): Promise<void> {
  const isCopied = (path: string) => isPlain(path) && !isConfigured(path)
  const size = await measureSize(from, isCopied, signal)
  if (size.isSmall)
    await cp(from, to, {
      recursive: true,
      force: false,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: isCopied,
    })
  else if (size.isWhole) symlinkSync(from, to)
  signal.throwIfAborted()
}

/** A build that was configured for its own place: it names the work folder, and would build and test that one. */
function isConfigured(path: string): boolean {
  return ['CMakeCache.txt', 'meson-private'].some((name) => existsSync(join(path, name)))
}

/** A pipe or a socket cannot be copied. */
function isPlain(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats !== undefined && (stats.isDirectory() || stats.isFile() || stats.isSymbolicLink())
}

async function measureSize(path: string, isCopied: (path: string) => boolean, signal: AbortSignal) {
  const stats = lstatSync(path)
  let [files, bytes, isWhole] = [1, stats.size, true]
  const waiting = stats.isDirectory() ? [path] : []
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const entry of await opendir(folder)) {
      const inner = join(folder, entry.name)
      files++
      if (!isCopied(inner)) isWhole = false
      else if (entry.isDirectory()) waiting.push(inner)
      else bytes += lstatSync(inner, { throwIfNoEntry: false })?.size ?? 0
    }
    signal.throwIfAborted()
  }
  return { isWhole, isSmall: files <= maxFiles && bytes <= maxBytes }
}
