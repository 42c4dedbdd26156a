import { hash } from 'node:crypto'
import { lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { bringDependencies, type Dependencies } from '../clean-copy/dependencies.ts'
import { inNewFolder, type CleanCopy } from '../clean-copy/new-folder.ts'
import { leadToCopy } from '../clean-copy/write-files.ts'
import { findRepository } from '../run-git.ts'
import type { ManifestEntry } from '../snapshot/manifest.ts'
import { readEntryBytes } from '../snapshot/read-content.ts'
import { SnapshotError } from '../snapshot/snapshot-error.ts'
import { fileUnder, type BytePath } from '../tree/tree-entry.ts'
import { listReferences, prefixOf } from './copy-repository.ts'
import { layRevision } from './lay-revision.ts'

const filesAtOnce = 64

export interface RevisionCopy extends CleanCopy {
  readonly commit: string
  readonly entries: readonly ManifestEntry[]
  readonly notes: readonly string[]
}

/**
 * The tree of a commit as a checkout gives it, in a temporary folder like that of {@link cleanCopy}.
 * @param keep stores the content of every file
 * @throws {SnapshotError} if git refuses, or a content is not on this machine
 * @throws {DOMException} `AbortError` after an abort
 */
export async function treeOfRevision(
  { folder: workFolder, revision, dependencies }: RevisionRequest,
  keep: (digest: string, content: Buffer) => void,
  signal: AbortSignal,
): Promise<RevisionCopy> {
  const original = realpathSync(resolve(workFolder))
  const place = findRepository(original)
  if (place === undefined)
    throw new SnapshotError(`${workFolder} is in no git repository, so there is no revision ${revision}`)
  const prefix = prefixOf(place)
  return inNewFolder(async (root) => {
    const folder = join(root, relative(place.root, original))
    const laid = await layRevision({ place, revision, root, prefix, signal })
    laid.repository.write('packed-refs', await listReferences(place, signal))
    mkdirSync(folder, { recursive: true })
    const paths = laid.paths.map((path) => path.slice(prefix.length))
    const entries = await keepFiles(folder, paths, keep, signal)
    for (const { path, kind } of entries) if (kind === 'symlink') leadToCopy(path, original, folder)
    await bringDependencies({ original, folder, root, dependencies, signal }, entries)
    return { folder, commit: laid.commit, entries, notes: laid.notes }
  })
}

export interface RevisionRequest {
  /** The work folder. */
  readonly folder: string
  readonly revision: string
  readonly dependencies: Dependencies
}

async function keepFiles(
  folder: string,
  paths: readonly BytePath[],
  keep: (digest: string, content: Buffer) => void,
  signal: AbortSignal,
): Promise<readonly ManifestEntry[]> {
  const entries: ManifestEntry[] = []
  for (const [index, path] of paths.entries()) {
    if (index % filesAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    const stats = lstatSync(fileUnder(folder, path))
    const kind = stats.isSymbolicLink() ? 'symlink' : (stats.mode & 0o111) === 0 ? 'file' : 'executable'
    const content = readEntryBytes(folder, { path, kind })
    const digest = hash('sha256', content)
    keep(digest, content)
    entries.push({ path, kind, digest, mode: stats.mode & 0o777, sizeBytes: content.length, isKept: true })
  }
  return entries
}
