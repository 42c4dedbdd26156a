import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { errorCodeOf, fileUnder, parentOf, type BytePath } from '../paths.ts'

export interface TreeEntry {
  readonly path: BytePath
  /** `other`: pipe, socket or device; `unreadable`: exists, but cannot be read. */
  readonly kind: 'file' | 'executable' | 'symlink' | 'other' | 'unreadable'
  /** Object id of content or symlink target; for unreadable entries reason and size. */
  readonly digest: string
  /** Permission bits; the fingerprint only includes `executable`. */
  readonly mode: number
  readonly sizeBytes: number
}

export function unreadable(path: BytePath, error: unknown, sizeBytes = 0): TreeEntry {
  return { path, kind: 'unreadable', digest: `${errorCodeOf(error)}:${sizeBytes}`, mode: 0, sizeBytes }
}

/** Independent of order. No path can contain the separator. */
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

/** Whether all parents are real folders; git keeps index paths below a symlink. Cached. */
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

/** @returns '' if unreadable */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
