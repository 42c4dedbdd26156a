import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { errorCodeOf, fileUnder, parentOf, type BytePath } from '../paths.ts'

/** What is known of one file. Times and owners are left out on purpose. */
export interface TreeEntry {
  readonly path: BytePath
  /** `other`: a pipe, socket or device; `unreadable`: it is there, and may not be read. */
  readonly kind: 'file' | 'executable' | 'symlink' | 'other' | 'unreadable'
  /** The id of the content, or of a symlink's target text, among stored objects; for something unreadable, why and how large it is. */
  readonly digest: string
  /** Permission bits. Not a part of the fingerprint, which knows `executable` alone. */
  readonly mode: number
  readonly sizeBytes: number
}

/** A file or folder that is there for the tree, and cannot be looked into. */
export function unreadable(path: BytePath, error: unknown, sizeBytes = 0): TreeEntry {
  return { path, kind: 'unreadable', digest: `${errorCodeOf(error)}:${sizeBytes}`, mode: 0, sizeBytes }
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

/**
 * Tells whether every folder above a path is a real folder: git keeps a path in its index if its folder is replaced
 * with a symlink. Caches its answers.
 */
export function realParents(folder: string): (path: BytePath) => boolean {
  const known = new Map<BytePath, boolean>([['', true]])
  const isReal = (parent: BytePath): boolean => {
    if (!hasRealParents(parent)) return false
    try {
      return lstatSync(fileUnder(folder, parent)).isDirectory()
    } catch {
      return false
    }
  }
  const hasRealParents = (path: BytePath): boolean => {
    const parent = parentOf(path)
    const answer = known.get(parent) ?? isReal(parent)
    known.set(parent, answer)
    return answer
  }
  return hasRealParents
}

/** Empty where it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
