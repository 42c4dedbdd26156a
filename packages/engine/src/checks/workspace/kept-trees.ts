/** Work trees as they were at some moments: what has changed between two of them, and the way back. */
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChangedFile, ChangeSet, FileImage } from '../../analysis/patch/index.ts'
import { assertKnownKeys, optionKeys } from '../../base/index.ts'
import { commitChanges } from '../../system/files/index.ts'
import {
  ContentDigests,
  fileReader,
  maxStoredBytes,
  storeTree,
  readTree,
  type TreeEntries,
  bytePathOfText,
  textOf,
  type BytePath,
  type TreeEntry,
} from '../../system/trees/index.ts'
import { collectTrees, openSnapshots, type ObjectStore } from './snapshots.ts'

export interface KeptTrees {
  /**
   * Stores every file that counts; of files over 16 MiB only their digest.
   * @throws {SnapshotError} for a file that cannot be read or changes meanwhile
   */
  keep(signal: AbortSignal): Promise<KeptTree>
  difference(from: KeptTree, to: KeptTree): TreeDifference
  /**
   * Restores the files of `from` to `to`. A file that differs from `from` was changed by someone else and stays.
   * First contents are restored, all or none; then files go that are not in `to`, if they are the work's, all or
   * none.
   */
  restore(
    from: KeptTree,
    to: KeptTree,
    mayDelete: (path: string) => boolean,
    signal: AbortSignal,
  ): Promise<Restored>
}

export interface KeptTree {
  readonly entries: TreeEntries
  /** What was made earlier was there, whether or not it counted. */
  readonly keptAtMs: number
}

export interface TreeDifference {
  readonly changes: ChangeSet
  /** Paths that differ and whose content cannot be told: symlinks, large files; of what is compared as text, what is none. */
  readonly unknown: readonly string[]
}

interface Restored {
  /** Paths that are now as they are in the other tree. */
  readonly changed: readonly string[]
  /** Paths that stay, for somebody else has changed them, or their content is not known. */
  readonly left: readonly string[]
  /** Paths that are not in the other tree, and stay: nothing shows that they are the work's. */
  readonly appeared: readonly string[]
  readonly problem?: string
}

interface KeptTreesOptions {
  readonly folder: string
  readonly snapshotFolder: string
}

/** Clocks of file systems may lag behind by a tick. */
const maxClockLagMs = 20

const keptTreesKeys = optionKeys<KeptTreesOptions>()('folder! snapshotFolder!')

export function keptTrees(options: KeptTreesOptions): KeptTrees {
  assertKnownKeys(options, keptTreesKeys, 'keptTrees')
  const { folder, snapshotFolder } = options
  const { trees, objects } = openSnapshots(snapshotFolder)
  const digests = new ContentDigests(fileReader)
  const keep = async (signal: AbortSignal): Promise<KeptTree> => {
    const keptAtMs = Date.now()
    const entries = await readTree(folder, digests, signal)
    digests.keepOnly(entries)
    const tree = await storeTree(trees, folder, entries, signal)
    trees.keep(`session-${tree}`, tree)
    await collectTrees(trees, signal)
    return { entries, keptAtMs }
  }
  return {
    keep,
    difference: (from, to) => differenceOf(from.entries, to.entries, objects),
    async restore(from, to, mayDelete, signal) {
      const { changes, unknown } = differenceOf(from.entries, to.entries, objects)
      const now = await keep(signal)
      const open = changes.filter((change) => !isSameAt(change.path, now, to) && !isHidden(folder, change))
      const wanted = open.filter(({ path }) => isSameAt(path, now, from))
      const foreign = open.filter(({ path }) => !isSameAt(path, now, from))
      const left = [...foreign.map(({ path }) => path), ...unknown]
      const back = await commitMost(folder, wanted.filter(isContent))
      const gone = wanted.filter((change) => !isContent(change))
      if (gone.length === 0 || back.problem !== undefined)
        return { ...back, left: [...left, ...back.left, ...gone.map(({ path }) => path)], appeared: [] }
      const later = await keep(signal)
      const isOfWork = ({ path }: ChangedFile) =>
        mayDelete(path) && isSameAt(path, later, from) && !wasThere(join(folder, path), to.keptAtMs)
      const removed = await commitMost(folder, gone.filter(isOfWork))
      return {
        ...removed,
        changed: [...back.changed, ...removed.changed].sort(),
        left: [...left, ...back.left, ...removed.left],
        appeared: gone.filter((change) => !isOfWork(change)).map(({ path }) => path),
      }
    },
  }
}

/** All or none, but for files that have changed this very moment or that git does not show: they stay. */
async function commitMost(
  folder: string,
  changes: ChangeSet,
): Promise<Pick<Restored, 'changed' | 'left' | 'problem'>> {
  const pathsOf = (some: ChangeSet) => some.map(({ path }) => path)
  if (changes.length === 0) return { changed: [], left: [] }
  const committed = await commitChanges(folder, changes)
  if (committed.kind === 'committed') return { changed: pathsOf(changes), left: [] }
  if (committed.kind === 'failed') return { changed: [], left: pathsOf(changes), problem: committed.problem }
  const others = changes.filter(({ path }) => path !== committed.path)
  if (others.length === changes.length)
    return { changed: [], left: pathsOf(changes), problem: committed.reason }
  const most = await commitMost(folder, others)
  return { ...most, left: [committed.path, ...most.left] }
}

function isContent({ after }: ChangedFile): boolean {
  return after !== null
}

/** Git does not show the file any more, and it is what it is to become: a rule hides it since. */
function isHidden(folder: string, { path, before, after }: ChangedFile): boolean {
  if (before !== null || after === null) return false
  const file = join(folder, path)
  try {
    return lstatSync(file).isFile() && readFileSync(file).equals(after.bytes)
  } catch {
    return false
  }
}

/** The file at the path was made, or last changed where nobody knows when it was made, before that moment. */
function wasThere(path: string, momentMs: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return false
  return (stats.birthtimeMs || stats.ctimeMs) < momentMs - maxClockLagMs
}

function isSameAt(path: string, one: KeptTree, other: KeptTree): boolean {
  const key = bytePathOfText(path)
  return isSame(one.entries.get(key), other.entries.get(key))
}

function isKept({ kind, sizeBytes }: TreeEntry): boolean {
  return (kind === 'file' || kind === 'executable') && sizeBytes <= maxStoredBytes
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.kind === other?.kind && one?.digest === other?.digest
}

function differenceOf(from: TreeEntries, to: TreeEntries, objects: ObjectStore): TreeDifference {
  const paths = [...new Set([...from.keys(), ...to.keys()])]
    .sort()
    .filter((path) => !isSame(from.get(path), to.get(path)))
  const isKnown = (path: BytePath) =>
    bytePathOfText(textOf(path)) === path &&
    [from.get(path), to.get(path)].every((entry) => entry === undefined || isKept(entry))
  const known = paths.filter(isKnown)
  objects.prefetch(known.flatMap((path) => [from, to].flatMap((tree) => tree.get(path)?.digest ?? [])))
  return {
    changes: known.map((path) => ({
      path: textOf(path),
      before: imageOf(from.get(path), objects),
      after: imageOf(to.get(path), objects),
    })),
    unknown: paths.filter((path) => !isKnown(path)).map(textOf),
  }
}

function imageOf(entry: TreeEntry | undefined, objects: ObjectStore): FileImage | null {
  return entry === undefined ? null : { bytes: objects.get(entry.digest), mode: entry.mode & 0o777 }
}
