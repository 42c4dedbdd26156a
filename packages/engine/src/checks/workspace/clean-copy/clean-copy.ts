import { mkdtempSync, realpathSync, lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve, basename, dirname } from 'node:path'
import { type BytePath, textOf } from '../tree/byte-path.ts'
import type { ManifestEntry } from '../snapshot/manifest.ts'
import { isFolder } from '../tree/existing-files.ts'
import { listIgnored } from '../fingerprint/list-ignored.ts'
import { findRepository } from '../run-git.ts'
import type { TreeEntry } from '../tree/tree-entry.ts'
import { bringDependencies, type Dependencies, installed } from './dependencies.ts'
import type { OverlayFile } from './overlay.ts'
import { makeRepository } from './repository.ts'
import { writeFiles, type FileSource } from './write-files.ts'
import { copyBuilt } from './copy-built.ts'
import { chmod, readdir, rm } from 'node:fs/promises'

export interface CleanCopyRequest {
  /** The work folder. */
  readonly folder: string
  /** The files that the copy gets: no leftover, no ignored file, no pipe and no socket. */
  readonly entries: readonly (TreeEntry | ManifestEntry)[]
  /** Where their content comes from. Default: from the work folder, checked against the digests. */
  readonly source?: FileSource
  /** Null: the file is left out. */
  readonly overlay: ReadonlyMap<BytePath, OverlayFile | null>
  readonly dependencies: Dependencies
  /** Which ignored files and folders come along all the same, as copies. Default: none. */
  readonly ignored?: (path: string) => boolean
  /** Whether the copy is a git repository at the commit of the work folder's, where that is one. */
  readonly git: boolean
  /** Checked out instead of the commit of the work folder. */
  readonly commit?: string
}

export interface CleanCopy {
  readonly folder: string
  /** Never rejects, and follows no link. */
  dispose(): Promise<void>
}

/**
 * The work tree again, in a temporary folder of its own. A folder inside a larger repository gets the same place inside
 * the copy. Symlinks stay as they are; those that name the work folder itself name the copy instead. Installed
 * dependencies that are linked keep their own real place: a package that is installed in editable mode (Python) still
 * points to the work folder.
 * @throws {SnapshotError} where a file cannot be read or changes meanwhile
 * @throws {DOMException} `AbortError` after an abort
 */
export async function cleanCopy(request: CleanCopyRequest, signal: AbortSignal): Promise<CleanCopy> {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'donecheck-copy-'))
  try {
    const original = realpathSync(resolve(request.folder))
    const place = request.git ? findRepository(original) : undefined
    const folder = place === undefined ? root : join(root, relative(place.root, original))
    await writeFiles({ ...request, original, folder, signal })
    await bringDependencies(
      { original, folder, root, dependencies: request.dependencies, signal },
      request.entries,
    )
    if (request.ignored !== undefined)
      await bringIgnored({ original, folder, isWanted: request.ignored, signal })
    if (place !== undefined) await makeRepository(place, root, request.commit ?? 'HEAD', signal)
    signal.throwIfAborted()
    return { folder, dispose: () => removeCopy(root) }
  } catch (error) {
    await removeCopy(root)
    throw error
  }
}

interface IgnoredRequest {
  /** The work folder. */
  readonly original: string
  /** The copy of it. */
  readonly folder: string
  /** Asked of files and folders, and of what is in them; relative to the work folder. */
  readonly isWanted: (path: string) => boolean
  readonly signal: AbortSignal
}

/** Copies what git ignores and is not installed: settings of this machine, data, what was built. Nothing without git. */
async function bringIgnored({ original, folder, isWanted, signal }: IgnoredRequest): Promise<void> {
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
