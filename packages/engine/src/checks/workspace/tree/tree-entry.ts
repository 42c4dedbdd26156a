import { createHash } from 'node:crypto'
import type { BytePath } from './byte-path.ts'

/** What is known of one file. Times and owners are left out on purpose. */
export interface TreeEntry {
  readonly path: BytePath
  /** `other`: a pipe, socket or device; `unreadable`: it is there, and may not be read. */
  readonly kind: 'file' | 'executable' | 'symlink' | 'other' | 'unreadable'
  /** Of the content, or of a symlink's target text; for something unreadable, why and how large it is. */
  readonly digest: string
  /** Permission bits. Not a part of the fingerprint, which knows `executable` alone. */
  readonly mode: number
  readonly sizeBytes: number
}

/** A file or folder that is there for the tree, and cannot be looked into. */
export function unreadable(path: BytePath, error: unknown, sizeBytes = 0): TreeEntry {
  return { path, kind: 'unreadable', digest: `${errorCodeOf(error)}:${sizeBytes}`, mode: 0, sizeBytes }
}

/** The system's name for an error, such as `ENOENT`. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/** Equal for equal sets of entries in any order. No path can contain the separator. */
export function digestOfTree(
  entries: readonly Pick<TreeEntry, 'path' | 'kind' | 'digest'>[],
  heading = 'donecheck work tree 1',
): string {
  const lines = [...entries].sort(byPath).map(({ path, kind, digest }) => `${kind}\0${digest}\0${path}\0`)
  return createHash('sha256').update(`${heading}\0`).update(lines.join(''), 'latin1').digest('hex')
}

function byPath(one: { readonly path: BytePath }, other: { readonly path: BytePath }): number {
  if (one.path === other.path) return 0
  return one.path < other.path ? -1 : 1
}
