/** Work trees as they were at some moments: what has changed between two of them, and the way back. */
import type { ChangedFile, ChangeSet, FileImage } from '../../analysis/patch/index.ts'
import { assertKnownKeys, type OptionKeys } from '../../base/index.ts'
import { commitChanges } from '../../system/files/index.ts'
import { ContentDigests, fileReader } from './fingerprint/content-digests.ts'
import { readContent } from './snapshot/read-content.ts'
import { openSnapshots, type Snapshots } from './snapshot/snapshots.ts'
import { readTree, type TreeEntries } from './tree/read-tree.ts'
import { bytePathOfText, textOf, type BytePath, type TreeEntry } from './tree/tree-entry.ts'

export interface KeptTrees {
  /**
   * Remembers every file that counts, as git sees the folder, or else by a walk; of one that is larger than 16 MiB only what
   * it is. @throws {SnapshotError} for a file that cannot be read or changes meanwhile
   */
  keep(signal: AbortSignal): Promise<KeptTree>
  difference(from: KeptTree, to: KeptTree): TreeDifference
  /**
   * Makes of the files of `from` what they are in `to`, all or none. A file that is not as it is in `from` has been changed
   * by somebody else since: it stays.
   */
  restore(from: KeptTree, to: KeptTree, signal: AbortSignal): Promise<Restored>
}

/** What `keep` gives. */
export type KeptTree = TreeEntries

export interface TreeDifference {
  readonly changes: ChangeSet
  /** Paths that differ and whose content is not known: symlinks, large files. */
  readonly unknown: readonly string[]
}

export interface Restored {
  /** Paths that are now as they are in the other tree. */
  readonly changed: readonly string[]
  /** Paths that stay, for somebody else has changed them, or their content is not known. */
  readonly left: readonly string[]
  /** Why nothing was changed; absent: there was no trouble. */
  readonly problem?: string
}

export interface KeptTreesOptions {
  readonly folder: string
  /** Where the baseline trees of the same store are. */
  readonly snapshotFolder: string
  /** Outside of the folder. */
  readonly journalFolder: string
}

const maxFileBytes = 16 * 1024 * 1024

const keptTreesKeys: OptionKeys<KeptTreesOptions> = {
  folder: 'needed',
  snapshotFolder: 'needed',
  journalFolder: 'needed',
}

export function keptTrees(options: KeptTreesOptions): KeptTrees {
  assertKnownKeys(options, keptTreesKeys, 'keptTrees')
  const { folder, snapshotFolder, journalFolder } = options
  const objects = openSnapshots(snapshotFolder).objects
  const digests = new ContentDigests(fileReader)
  const known = new Set<string>()
  const keep = async (signal: AbortSignal): Promise<KeptTree> => {
    const tree = await readTree(folder, digests, signal)
    digests.keepOnly(tree)
    for (const entry of tree.values()) {
      if (!isKept(entry) || known.has(entry.digest)) continue
      objects.put(entry.digest, readContent(folder, entry))
      known.add(entry.digest)
    }
    return tree
  }
  return {
    keep,
    difference: (from, to) => differenceOf(from, to, objects),
    async restore(from, to, signal) {
      const now = await keep(signal)
      const { changes, unknown } = differenceOf(from, to, objects)
      const isUntouched = ({ path }: ChangedFile) =>
        isSame(now.get(bytePathOfText(path)), from.get(bytePathOfText(path)))
      const wanted = changes.filter(isUntouched)
      const left = [...changes.filter((change) => !isUntouched(change)).map(({ path }) => path), ...unknown]
      if (wanted.length === 0) return { changed: [], left }
      const committed = await commitChanges(folder, wanted, { journalFolder })
      if (committed.kind === 'committed') return { changed: wanted.map(({ path }) => path), left }
      const problem = committed.kind === 'conflict' ? committed.reason : committed.problem
      return { changed: [], left: [...wanted.map(({ path }) => path), ...left], problem }
    },
  }
}

function isKept({ kind, sizeBytes }: TreeEntry): boolean {
  return (kind === 'file' || kind === 'executable') && sizeBytes <= maxFileBytes
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.kind === other?.kind && one?.digest === other?.digest
}

function differenceOf(from: KeptTree, to: KeptTree, objects: Snapshots['objects']): TreeDifference {
  const paths = [...new Set([...from.keys(), ...to.keys()])]
    .sort()
    .filter((path) => !isSame(from.get(path), to.get(path)))
  const isKnown = (path: BytePath) =>
    bytePathOfText(textOf(path)) === path &&
    [from.get(path), to.get(path)].every((entry) => entry === undefined || isKept(entry))
  return {
    changes: paths.filter(isKnown).map((path) => ({
      path: textOf(path),
      before: imageOf(from.get(path), objects),
      after: imageOf(to.get(path), objects),
    })),
    unknown: paths.filter((path) => !isKnown(path)).map(textOf),
  }
}

function imageOf(entry: TreeEntry | undefined, objects: Snapshots['objects']): FileImage | null {
  return entry === undefined ? null : { bytes: objects.get(entry.digest), mode: entry.mode & 0o777 }
}
