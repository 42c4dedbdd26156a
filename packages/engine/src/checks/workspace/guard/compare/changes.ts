import type { FileChange, FileVersion } from '../../../../analysis/tamper/index.ts'
import { textOf, type BytePath, type TreeEntry } from '../../tree/tree-entry.ts'
import type { TreeEntries } from '../../tree/read-tree.ts'
import type { Manifest, ManifestEntry } from '../../snapshot/manifest.ts'
import type { ObjectStore } from '../../snapshot/snapshots.ts'
import { maxTextBytes, readContent, textIn } from '../../snapshot/read-content.ts'
import { SnapshotError } from '../../snapshot/snapshot-error.ts'

/** A change with what is needed to undo it. */
export interface TreeChange extends FileChange {
  readonly bytePath: BytePath
  /** Undefined: it was not there. */
  readonly earlier: ManifestEntry | undefined
}

/**
 * What differs between the baseline tree and the one of now, sorted by path. Times and owners do not count, and of the
 * permissions only whether a file may be executed.
 * @throws {SnapshotError} for a file that cannot be read, or is changed meanwhile; for a damaged snapshot
 */
export function changesSince(
  manifest: Manifest,
  tree: TreeEntries,
  folder: string,
  objects: ObjectStore,
): readonly TreeChange[] {
  const earlier = new Map(manifest.entries.map((entry) => [entry.path, entry]))
  const paths = [...new Set([...earlier.keys(), ...tree.keys()])].sort()
  return paths.flatMap((path) => {
    const [was, is] = [earlier.get(path), tree.get(path)]
    if (is?.kind === 'unreadable') throw new SnapshotError(`${textOf(path)} cannot be read (${is.digest})`)
    if (was?.kind === is?.kind && was?.digest === is?.digest) return []
    const change: TreeChange = {
      path: textOf(path),
      bytePath: path,
      before: was === undefined ? null : earlierVersion(was, objects),
      after: is === undefined ? null : laterVersion(is, folder),
      earlier: was,
    }
    return change.before === null && change.after === null ? [] : [change]
  })
}

function earlierVersion(entry: ManifestEntry, objects: ObjectStore): FileVersion | null {
  if (entry.kind === 'other') return null
  return version(entry, entry.isKept ? textIn(objects.get(entry.digest)) : null)
}

/** A pipe or a socket is no file: what stood there is gone. */
function laterVersion(entry: TreeEntry, folder: string): FileVersion | null {
  if (entry.kind === 'other') return null
  const isShort = entry.sizeBytes <= maxTextBytes
  return version(entry, isShort ? textIn(readContent(folder, entry)) : null)
}

function version(entry: TreeEntry | ManifestEntry, text: string | null): FileVersion {
  const kind = entry.kind === 'symlink' ? 'symlink' : 'file'
  return { kind, digest: entry.digest, mode: entry.mode & 0o777, text }
}
