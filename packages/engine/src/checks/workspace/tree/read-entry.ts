import { hash } from 'node:crypto'
import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { fileUnder, type BytePath, errorCodeOf, unreadable, type TreeEntry } from './tree-entry.ts'
import type { ContentDigests } from '../fingerprint/content-digests.ts'

/** Undefined: nothing is there (any more). `folder`: to be listed by whoever asks. */
export type Seen = TreeEntry | 'folder' | undefined

/**
 * Looks at one path; a symlink is its target text, never what it points to. A promise only where content must be read.
 * @throws {DOMException} `AbortError` after an abort, through the promise; nothing else
 */
export function readEntry(
  folder: string,
  path: BytePath,
  digests: ContentDigests,
  signal: AbortSignal,
): Seen | Promise<Seen> {
  const seen = lookAt(folder, path, digests)
  if (seen === undefined || seen === 'folder' || 'path' in seen) return seen
  const { stats } = seen
  return digests.computeDigest(path, fileUnder(folder, path), stats, signal).then(
    (digest) => entryOf(path, kindOf(stats), digest, stats),
    (error: unknown) => {
      signal.throwIfAborted()
      return unread(path, error, stats)
    },
  )
}

/** The same where no content need be read; undefined elsewhere. */
export function entryWithoutReading(
  folder: string,
  path: BytePath,
  digests: ContentDigests,
): TreeEntry | undefined {
  const seen = lookAt(folder, path, digests)
  return typeof seen === 'object' && 'path' in seen ? seen : undefined
}

const quietly = { throwIfNoEntry: false } as const

function lookAt(folder: string, path: BytePath, digests: ContentDigests): Seen | { readonly stats: Stats } {
  const file = fileUnder(folder, path)
  try {
    const stats = lstatSync(file, quietly)
    if (stats === undefined) return undefined
    if (stats.isFile()) {
      const known = digests.knownDigest(path, stats)
      return known === undefined ? { stats } : entryOf(path, kindOf(stats), known, stats)
    }
    if (stats.isDirectory()) return 'folder'
    if (stats.isSymbolicLink())
      return entryOf(path, 'symlink', hash('sha256', readlinkSync(file, 'buffer')), stats)
    return entryOf(path, 'other', '', stats)
  } catch (error) {
    return unread(path, error)
  }
}

function kindOf({ mode }: Stats): 'file' | 'executable' {
  return (mode & 0o111) === 0 ? 'file' : 'executable'
}

function entryOf(path: BytePath, kind: TreeEntry['kind'], digest: string, { mode, size }: Stats): TreeEntry {
  return { path, kind, digest, mode: mode & 0o7777, sizeBytes: size }
}

function unread(path: BytePath, error: unknown, stats?: Stats): Seen {
  const isGone = ['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error))
  return isGone ? undefined : unreadable(path, error, stats?.size)
}
