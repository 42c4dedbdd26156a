import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChangedFile, ChangeSet, FileImage } from '../../analysis/patch/index.ts'
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
  /** Stores counted files; over 16 MiB only digests. @throws {SnapshotError} if unreadable or changing */
  keep(signal: AbortSignal): Promise<KeptTree>
  difference(from: KeptTree, to: KeptTree): TreeDifference
  /** Restores `from` to `to`: contents, then deletions, each all or none. Files others changed stay. */
  restore(
    from: KeptTree,
    to: KeptTree,
    mayDelete: (path: string) => boolean,
    signal: AbortSignal,
  ): Promise<Restored>
}

export interface KeptTree {
  readonly entries: TreeEntries
  /** Files created earlier existed then, counted or not. */
  readonly keptAtMs: number
}

export interface TreeDifference {
  readonly changes: ChangeSet
  /** Differing paths without known content: symlinks, large or binary files. */
  readonly unknown: readonly string[]
}

interface Restored {
  readonly changed: readonly string[]
  /** Paths that stay: changed by others, or content unknown. */
  readonly left: readonly string[]
  /** Extra paths that stay, because nothing shows the run created them. */
  readonly appeared: readonly string[]
  readonly problem?: string
}

interface KeptTreesOptions {
  readonly folder: string
  readonly snapshotFolder: string
}

/** File system clocks may lag by a tick. */
const maxClockLagMs = 20

export function keptTrees(options: KeptTreesOptions): KeptTrees {
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

/** All or none, except files that changed just now or that git hides. */
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

/** A new rule hides the file from git, and it already has its target content. */
function isHidden(folder: string, { path, before, after }: ChangedFile): boolean {
  if (before !== null || after === null) return false
  const file = join(folder, path)
  try {
    return lstatSync(file).isFile() && readFileSync(file).equals(after.bytes)
  } catch {
    return false
  }
}

/** Whether the file was created (else last changed) before that time. */
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
