import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type BytePath, textOf, type TreeEntry } from '../tree/tree-entry.ts'
import type { ManifestEntry } from '../snapshot/manifest.ts'
import { isFolder } from '../tree/existing-files.ts'
import { listIgnored } from '../fingerprint/ignored-files.ts'
import { findRepository } from '../run-git.ts'
import { bringDependencies, type Dependencies, installed, copyBuilt } from './dependencies.ts'
import { type OverlayFile, writeFiles } from './write-files.ts'
import { makeRepository } from '../revision/copy-repository.ts'
import { inNewFolder, type CleanCopy } from './new-folder.ts'

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
 * @throws {DOMException} `AbortError` after an abort
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
