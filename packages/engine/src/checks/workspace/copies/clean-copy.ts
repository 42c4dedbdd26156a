import {
  lstatSync,
  realpathSync,
  mkdtempSync,
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, isAbsolute } from 'node:path'
import {
  type BytePath,
  textOf,
  type TreeEntry,
  isFolder,
  fileUnder,
  parentOf,
  errorCodeOf,
} from '../tree/tree-entry.ts'
import { type ManifestEntry, SnapshotError } from '../snapshots.ts'
import { installed, listIgnored } from '../tree/list-tree.ts'
import { findRepository } from '../tree/run-git.ts'
import { bringDependencies, type Dependencies, copyBuilt } from './dependencies.ts'
import { makeRepository } from './own-repository.ts'
import { chmod, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { fileReader } from '../tree/content-digests.ts'

export interface CleanCopyRequest {
  /** The work folder. */
  readonly folder: string
  /** The files that the copy gets: no leftover, no ignored file, no pipe and no socket. */
  readonly entries: readonly (TreeEntry | ManifestEntry)[]
  /** Null: the file is left out. */
  readonly overlay: ReadonlyMap<BytePath, OverlayFile | null>
  readonly dependencies: Dependencies
  /** Which ignored files and folders come along all the same, as copies. Default: none. */
  readonly ignored?: (path: string) => boolean
}

/**
 * The work tree again, in a temporary folder of its own; a git repository at the commit of the work folder's, where that is
 * one. A folder inside a larger repository gets the same place inside the copy. Symlinks stay as they are; those that name the work folder itself name the copy instead. Installed
 * dependencies that are linked keep their own real place: a package that is installed in editable mode (Python) still
 * points to the work folder.
 * @throws {SnapshotError} where a file cannot be read or changes meanwhile
 */
export async function cleanCopy(request: CleanCopyRequest, signal: AbortSignal): Promise<CleanCopy> {
  return inNewFolder(async (root) => {
    const original = realpathSync(resolve(request.folder))
    const place = findRepository(original)
    const folder = place === undefined ? root : join(root, relative(place.root, original))
    await writeFiles({ ...request, original, folder, signal })
    await bringDependencies(
      { original, folder, root, dependencies: request.dependencies, signal },
      request.entries,
    )
    if (request.ignored !== undefined) await bringIgnored(original, folder, request.ignored, signal)
    if (place !== undefined) await makeRepository(place, root, signal)
    signal.throwIfAborted()
    return { folder }
  })
}

/**
 * Copies what git ignores and is not installed: settings of this machine, data, what was built. Nothing without git.
 * @param isWanted asked of files and folders, and of what is in them; relative to the work folder
 */
async function bringIgnored(
  original: string,
  folder: string,
  isWanted: (path: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  for (const entry of (await listIgnored(original, signal)) ?? []) {
    const path = textOf(entry.replace(/\/$/, ''))
    if (installed.includes(basename(path)) || !isWanted(path)) continue
    const [from, to] = [join(original, path), join(folder, path)]
    if (!isFolder(dirname(to)) || lstatSync(from, { throwIfNoEntry: false })?.isSymbolicLink() !== false)
      continue
    const real = realpathSync(from)
    await copyBuilt(real, to, (inner) => isWanted(join(path, relative(real, inner))), signal)
  }
}

export interface CleanCopy {
  readonly folder: string
  /** Never rejects, and follows no link. */
  dispose(): Promise<void>
}

/** The folder goes again if it cannot be filled. */
export async function inNewFolder<Filled>(
  fill: (root: string) => Promise<Filled>,
): Promise<Filled & Pick<CleanCopy, 'dispose'>> {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'copy-'))
  try {
    return { ...(await fill(root)), dispose: () => removeCopy(root) }
  } catch (error) {
    await removeCopy(root)
    throw error
  }
}

/** Links are removed, never followed. Folders that a check closed are opened for it. Never rejects: a rest stays. */
async function removeCopy(folder: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 3 }
  await rm(folder, options)
    .catch(() => openFolders(folder).then(() => rm(folder, options)))
    .catch(() => undefined)
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined)
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) if (entry.isDirectory()) await openFolders(join(folder, entry.name))
}

type Entry = TreeEntry | ManifestEntry

interface WriteRequest {
  /** The real path of the work folder. */
  readonly original: string
  readonly folder: string
  readonly entries: readonly Entry[]
  readonly overlay: ReadonlyMap<BytePath, OverlayFile | null>
  readonly signal: AbortSignal
}

const filesAtOnce = 64

/** @throws {SnapshotError} where a file cannot be read or is not what was listed */
async function writeFiles(request: WriteRequest): Promise<void> {
  const { folder, entries, overlay, signal } = request
  const made = new Set<BytePath>()
  makeFolder(folder, '', made)
  let written = 0
  for (const entry of withoutCovered(entries, overlay)) {
    if (written++ % filesAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    makeFolder(folder, parentOf(entry.path), made)
    await writeEntry(entry, request)
  }
  for (const [path, file] of overlay) {
    if (file === null) continue
    makeFolder(folder, parentOf(path), made)
    if (file.kind === 'symlink') link(Buffer.from(file.content), path, request)
    else writeUnder(folder, path, file.content, file.mode)
  }
}

/** What lies below a file of the overlay, or where one of its folders must be, gives way: nothing is written through a link. */
function withoutCovered(entries: readonly Entry[], overlay: WriteRequest['overlay']): readonly Entry[] {
  const laid = new Set([...overlay].filter(([, file]) => file !== null).map(([path]) => path))
  const parents = new Set([...laid].flatMap(foldersAbove))
  const isCovered = ({ path }: Entry) =>
    overlay.has(path) || parents.has(path) || foldersAbove(path).some((parent) => laid.has(parent))
  return entries.filter((entry) => !isCovered(entry))
}

function foldersAbove(path: BytePath): readonly BytePath[] {
  const parent = parentOf(path)
  return parent === '' ? [] : [parent, ...foldersAbove(parent)]
}

function makeFolder(folder: string, path: BytePath, made: Set<BytePath>): void {
  if (made.has(path)) return
  mkdirSync(fileUnder(folder, path), { recursive: true })
  made.add(path)
}

async function writeEntry(entry: Entry, request: WriteRequest): Promise<void> {
  const { original, folder, signal } = request
  const { path, kind, mode, digest } = entry
  if (kind === 'other') return
  if (kind === 'unreadable')
    throw new SnapshotError(`${textOf(path)} cannot be read (${digest}), so it cannot be copied`)
  const [from, to] = [fileUnder(original, path), fileUnder(folder, path)]
  try {
    if (kind === 'symlink') {
      link(readlinkSync(from, 'buffer'), path, request)
      return
    }
    copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    chmodSync(to, mode & 0o777)
  } catch (error) {
    throw new SnapshotError(`${textOf(path)} cannot be copied (${errorCodeOf(error)})`)
  }
  // The copy is looked at and not the original, which somebody may still write to.
  if ((await fileReader.digest(to, signal)) !== digest)
    throw new SnapshotError(`${textOf(path)} was changed while it was copied`)
}

function writeUnder(folder: string, path: BytePath, content: Uint8Array, mode: number): void {
  const file = fileUnder(folder, path)
  writeFileSync(file, content, { flag: 'wx' })
  chmodSync(file, mode & 0o777)
}

/** The same for a link that is in the copy already. */
export function leadToCopy(path: BytePath, original: string, folder: string): void {
  const file = fileUnder(folder, path)
  const target = readlinkSync(file, 'buffer')
  rmSync(file)
  link(target, path, { original, folder })
}

/** A link that names the work folder would lead the checks back to it. */
function link(
  target: Buffer,
  path: BytePath,
  { original, folder }: Pick<WriteRequest, 'original' | 'folder'>,
): void {
  const text = target.toString()
  const way = relative(original, text)
  const isWithin = isAbsolute(text) && way !== '..' && !way.startsWith('../')
  symlinkSync(isWithin ? join(folder, way) : target, fileUnder(folder, path))
}

/** What lies over the files of the work tree. */
export interface OverlayFile {
  readonly kind: 'file' | 'symlink'
  readonly content: Uint8Array
  /** Permission bits. */
  readonly mode: number
}
