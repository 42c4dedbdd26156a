import { setImmediate } from 'node:timers/promises'
import type { TreeEntries } from '../tree/read-tree.ts'
import { textOf, type TreeEntry } from '../tree/tree-entry.ts'
import type { ManifestEntry } from './manifest.ts'
import { maxTextBytes, readContent, textIn } from './read-content.ts'
import { SnapshotError } from './snapshot-error.ts'
import type { ObjectStore } from './snapshots.ts'

/** Contents that are kept for one run. Beyond it, only digests. */
export const maxSnapshotBytes = 256 * 1024 * 1024

const filesAtOnce = 64

export interface KeptTree {
  readonly entries: readonly ManifestEntry[]
  /** Texts for which there was no room: they cannot be put back, nor compared line by line. */
  readonly leftOut: number
}

export interface KeepOptions {
  readonly folder: string
  readonly objects: ObjectStore
  /** Kept whatever their size, and before all others. */
  readonly isProtected: (path: string) => boolean
  readonly limitBytes?: number
  readonly signal: AbortSignal
}

/**
 * Keeps the content of every protected file and of every text up to 1 MiB.
 * @throws {SnapshotError} for a file that cannot be read, and one that changes meanwhile
 * @throws {DOMException} `AbortError` after an abort
 */
export async function keepTree(tree: TreeEntries, options: KeepOptions): Promise<KeptTree> {
  const { isProtected, limitBytes = maxSnapshotBytes, signal } = options
  const ranked = [...tree.values()].map((entry) => ({ entry, isFirst: isProtected(textOf(entry.path)) }))
  ranked.sort((one, other) => Number(other.isFirst) - Number(one.isFirst))
  const entries: ManifestEntry[] = []
  let [roomBytes, leftOut] = [limitBytes, 0]
  for (const [index, { entry, isFirst }] of ranked.entries()) {
    if (index % filesAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    const fits = entry.sizeBytes <= roomBytes
    const isWanted = entry.kind !== 'other' && (isFirst || entry.sizeBytes <= maxTextBytes)
    const isKept = isWanted && fits && keep(entry, isFirst, options)
    if (isKept) roomBytes -= entry.sizeBytes
    if (isWanted && !fits) leftOut += 1
    entries.push(manifestEntry(entry, isKept))
  }
  return { entries, leftOut }
}

/** False: it is no text, and nobody asked for it. */
function keep(entry: TreeEntry, isProtected: boolean, { folder, objects }: KeepOptions): boolean {
  const content = readContent(folder, entry)
  if (!isProtected && textIn(content) === null) return false
  objects.put(entry.digest, content)
  return true
}

function manifestEntry(entry: TreeEntry, isKept: boolean): ManifestEntry {
  const { path, kind, digest, mode, sizeBytes } = entry
  if (kind === 'unreadable') throw new SnapshotError(`${textOf(path)} cannot be read (${digest})`)
  return { path, kind, digest, mode, sizeBytes, isKept }
}
