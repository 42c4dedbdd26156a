import {
  maxStoredBytes,
  SnapshotError,
  type ObjectId,
  type SizedFile,
  type Trees,
} from '../../../trees/index.ts'
import { readEntryBytes } from './read-content.ts'
import type { TreeEntries } from './read-tree.ts'
import { textOf, type BytePath, type TreeEntry } from './tree-entry.ts'

/**
 * Stores the files of a folder as they were listed; pipes and sockets are left out.
 * @throws {SnapshotError} for a file that cannot be read, or has another content by now
 * @throws {GitNeededError} without git of our age
 */
export function storeTree(
  trees: Trees,
  folder: string,
  entries: TreeEntries,
  signal: AbortSignal,
): Promise<ObjectId> {
  const files = new Map([...entries].flatMap(([path, entry]) => storedAt(path, entry)))
  const read = (path: BytePath) => readEntryBytes(folder, { path, kind: entries.get(path)?.kind ?? 'file' })
  return trees.store(files, read, signal)
}

function storedAt(path: BytePath, entry: TreeEntry): readonly (readonly [BytePath, SizedFile])[] {
  const { kind, digest, mode, sizeBytes } = entry
  if (kind === 'unreadable') throw new SnapshotError(`${textOf(path)} cannot be read (${digest})`)
  if (kind === 'other') return []
  const isLink = kind === 'symlink'
  const file = { kind: isLink ? kind : 'file', mode: mode & 0o777, object: digest, sizeBytes } as const
  return [[path, sizeBytes > maxStoredBytes ? { ...file, isLarge: true } : file]]
}
