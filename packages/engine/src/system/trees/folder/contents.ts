import { isUtf8, type Buffer } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from 'node:fs'
import { hashBlob, type ObjectId } from '../store/objects.ts'
import { SnapshotError, errorCodeOf, fileUnder, textOf, type BytePath } from '../paths.ts'
import { maxStoredBytes, type SizedFile, type Trees } from '../store/open-trees.ts'
import type { TreeEntry } from './tree-entry.ts'
import type { TreeEntries } from './read-tree.ts'

/** Longer texts are not diffed. */
export const maxTextBytes = 1024 * 1024

/** Reads a listed file or symlink target. @throws {SnapshotError} if unreadable or changed */
export function readContent(folder: string, entry: Pick<TreeEntry, 'path' | 'kind' | 'digest'>): Buffer {
  const content = readEntryBytes(folder, entry)
  if (hashBlob(content) === entry.digest) return content
  throw new SnapshotError(`${textOf(entry.path)} was changed while it was looked at`)
}

/** Null if not text, or too long. */
export function textIn(content: Buffer): string | null {
  return content.length <= maxTextBytes && isUtf8(content) ? content.toString() : null
}

/** Like `readContent`, but accepts changed content. @throws {SnapshotError} if unreadable */
export function readEntryBytes(folder: string, { path, kind }: Pick<TreeEntry, 'path' | 'kind'>): Buffer {
  const file = fileUnder(folder, path)
  try {
    if (kind === 'symlink') return readlinkSync(file, 'buffer')
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      if (!fstatSync(descriptor).isFile()) throw new SnapshotError(`${textOf(path)} is no file any more`)
      return readFileSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (error instanceof SnapshotError) throw error
    throw new SnapshotError(`${textOf(path)} cannot be read (${errorCodeOf(error)})`)
  }
}

/** Stores files, not pipes or sockets. @throws {SnapshotError} if unreadable or changed */
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
