import { createHash } from 'node:crypto'
import type { BytePath } from './byte-path.ts'

/** What the fingerprint sees of one file. Times, owners and most mode bits are left out on purpose. */
export interface TreeEntry {
  readonly path: BytePath
  /** `other`: a pipe, socket or device; `unreadable`: it is there, and may not be read. */
  readonly kind: 'file' | 'executable' | 'symlink' | 'other' | 'unreadable'
  /** Of the content, or of a symlink's target text; for something unreadable, why and how large it is. */
  readonly digest: string
}

/** A file or folder that is there for the tree, and cannot be looked into. */
export function unreadable(path: BytePath, error: unknown, sizeBytes = 0n): TreeEntry {
  return { path, kind: 'unreadable', digest: `${errorCodeOf(error)}:${sizeBytes}` }
}

/** The system's name for an error, such as `ENOENT`. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/** Equal for equal sets of entries in any order. No path can contain the separator. */
export function digestOfTree(entries: readonly TreeEntry[]): string {
  const hash = createHash('sha256').update('donecheck work tree 1\0')
  for (const { path, kind, digest } of [...entries].sort(byPath))
    hash.update(`${kind}\0${digest}\0${path}\0`, 'latin1')
  return hash.digest('hex')
}

function byPath(one: TreeEntry, other: TreeEntry): number {
  if (one.path === other.path) return 0
  return one.path < other.path ? -1 : 1
}
