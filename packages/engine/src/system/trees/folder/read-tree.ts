import { setImmediate } from 'node:timers/promises'
import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { type BytePath, fileUnder, errorCodeOf } from '../paths.ts'
import { type TreeEntry, realParents, unreadable } from './tree-entry.ts'
import type { ContentDigests } from './content-digests.ts'
import { type Listing, listNested, listTree, listDecidingIgnored } from './list-tree.ts'
import { hashBlob } from '../store/objects.ts'

export type TreeEntries = ReadonlyMap<BytePath, TreeEntry>

/** Synchronous reads are several times faster; yields after this number. */
const filesAtOnce = 512

/** Reads every counted file; unreadable ones are included. @param list default: git, else a walk */
export async function readTree(
  folder: string,
  digests: ContentDigests,
  signal: AbortSignal,
  list: () => Promise<Listing> = () => listTree(folder, signal),
): Promise<TreeEntries> {
  return readListed(folder, digests, signal, await glance(folder, digests, signal, list))
}

export interface Glance {
  readonly listing: Listing
  readonly early: TreeEntries
  readonly isInTree: (path: BytePath) => boolean
}

/** Runs both concurrently: another process does the listing. */
export async function glance(
  folder: string,
  digests: ContentDigests,
  signal: AbortSignal,
  list: () => Promise<Listing> = () => listTree(folder, signal),
): Promise<Glance> {
  const isInTree = realParents(folder)
  const listed = list()
  // Handled below; must not count as unhandled until then.
  listed.catch(() => undefined)
  const early = await lookEarly(folder, digests, isInTree, signal)
  return { listing: await listed, early, isInTree }
}

/** Reads the rest. Rejects as `readTree` does. */
export async function readListed(
  folder: string,
  digests: ContentDigests,
  signal: AbortSignal,
  { listing, early, isInTree }: Glance,
): Promise<TreeEntries> {
  const entries = new Map<BytePath, TreeEntry>()
  let looked = 0
  const note = (path: BytePath, seen: Seen): Promise<void> | undefined => {
    if (seen === 'folder') return listNested(folder, path, signal).then(seeAll)
    if (seen !== undefined) entries.set(path, seen)
    return undefined
  }
  const seeAll = async ({ paths, unreadable }: Listing): Promise<void> => {
    for (const entry of unreadable) entries.set(entry.path, entry)
    for (const path of paths) {
      if (looked++ % filesAtOnce === 0) await breathe(signal)
      if (!isInTree(path)) continue
      const seen = early.get(path) ?? readEntry(folder, path, digests, signal)
      const nested = note(path, seen instanceof Promise ? await seen : seen)
      if (nested !== undefined) await nested
    }
  }
  await seeAll(listing)
  return entries
}

/** Stats last time's paths while git still lists. */
async function lookEarly(
  folder: string,
  digests: ContentDigests,
  isInTree: (path: BytePath) => boolean,
  signal: AbortSignal,
): Promise<ReadonlyMap<BytePath, TreeEntry>> {
  const early = new Map<BytePath, TreeEntry>()
  let looked = 0
  for (const path of digests.paths()) {
    if (looked++ % filesAtOnce === 0) await breathe(signal)
    const entry = isInTree(path) ? entryWithoutReading(folder, path, digests) : undefined
    if (entry !== undefined) early.set(path, entry)
  }
  return early
}

async function breathe(signal: AbortSignal): Promise<void> {
  await setImmediate()
  signal.throwIfAborted()
}

/** Reads counted files, and ignored ones that decide a check. @param scripts relative paths */
export async function readWholeTree(
  folder: string,
  scripts: readonly string[],
  digests: ContentDigests,
  signal: AbortSignal,
  listing?: Listing,
) {
  const ignored = await listDecidingIgnored(folder, scripts, signal)
  const tree = await readTree(folder, digests, signal, async () => {
    const listed = listing ?? (await listTree(folder, signal))
    return { ...listed, paths: [...listed.paths, ...ignored] }
  })
  digests.keepOnly(tree)
  return { tree, ignored: new Set(ignored) }
}

/** Undefined if missing. `folder`: the caller lists it. */
export type Seen = TreeEntry | 'folder' | undefined

/** Reads one path; a symlink is its target text. Returns a promise only if content must be read. */
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

/** @returns undefined if content must be read */
function entryWithoutReading(folder: string, path: BytePath, digests: ContentDigests): TreeEntry | undefined {
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
    if (stats.isSymbolicLink()) return entryOf(path, 'symlink', hashBlob(readlinkSync(file, 'buffer')), stats)
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
