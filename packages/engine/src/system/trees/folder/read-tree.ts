import { setImmediate } from 'node:timers/promises'
import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { type BytePath, fileUnder, errorCodeOf } from '../paths.ts'
import { type TreeEntry, realParents, unreadable } from './tree-entry.ts'
import type { ContentDigests } from './content-digests.ts'
import { type Listing, listNested, listTree, listDecidingIgnored } from './list-tree.ts'
import { hashBlob } from '../store/objects.ts'

export type TreeEntries = ReadonlyMap<BytePath, TreeEntry>

/** Files are looked at synchronously, which is several times faster; so many, and others may work. */
const filesAtOnce = 512

/**
 * Reads every file that counts; unreadable ones are included as such.
 * @param list default: as git sees the folder, or else by a walk
 */
export async function readTree(
  folder: string,
  digests: ContentDigests,
  signal: AbortSignal,
  list: () => Promise<Listing> = () => listTree(folder, signal),
): Promise<TreeEntries> {
  return readListed(folder, digests, signal, await glance(folder, digests, signal, list))
}

/** What a first look gives: what counts, and of it what need not be read again. */
export interface Glance {
  readonly listing: Listing
  readonly early: TreeEntries
  readonly isInTree: (path: BytePath) => boolean
}

/** Both at once: the listing is another process's work. */
export async function glance(
  folder: string,
  digests: ContentDigests,
  signal: AbortSignal,
  list: () => Promise<Listing> = () => listTree(folder, signal),
): Promise<Glance> {
  const isInTree = realParents(folder)
  const listed = list()
  // A rejection is met below; it must not count as unhandled until then.
  listed.catch(() => undefined)
  const early = await lookEarly(folder, digests, isInTree, signal)
  return { listing: await listed, early, isInTree }
}

/** Reads what the glance could not answer. Rejects as `readTree` does. */
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

/** What was there the last time is looked at while git still lists. Only what needs no reading is found. */
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

/**
 * Reads every file that counts, and ignored files that decide a check.
 * @param scripts of the checks, relative to the work folder
 * @param listing what counts, if it was just listed
 */
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

/** Undefined: nothing is there (any more). `folder`: to be listed by whoever asks. */
export type Seen = TreeEntry | 'folder' | undefined

/** Looks at one path; a symlink is its target text, never what it points to. A promise only where content must be read. */
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
