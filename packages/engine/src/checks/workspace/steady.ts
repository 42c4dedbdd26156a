import { setImmediate } from 'node:timers/promises'
import { textOf, type BytePath, type TreeEntry } from '../tree/tree-entry.ts'
import { ContentDigests, fileReader } from '../fingerprint/content-digests.ts'
import { readEntry, type Seen } from '../tree/read-entry.ts'
import { isCache } from '../watch/caches.ts'
import { isStill, markTree, type Stamp, type TreeMark } from './tree-mark.ts'

/** What became of a folder while checks ran in it. Sorted. */
export interface ChangedTree {
  /** Written, replaced by something else, or removed. */
  readonly changed: readonly BytePath[]
  /** Written, replaced or moved, and equal again: what a check saw of it is not known. Folders too. */
  readonly restamped: readonly BytePath[]
  /** Not there before. */
  readonly appeared: readonly BytePath[]
}

/** A folder as it stood before the checks ran in it. */
export interface CheckFolder {
  readonly mark: TreeMark
  /** By content: what whoever judged the tree has read of it. */
  readonly known: ReadonlyMap<BytePath, Pick<TreeEntry, 'kind' | 'digest'>>
  /** It was laid by us: whoever wrote to it before it was marked is found by reading all of it. */
  readonly isCopy: boolean
}

/** Two changes within one tick of the file system's clock have one time: the coarsest ones count in two seconds. */
const racyMs = 2_000

/**
 * Compares a folder with what it was. Only what has another stamp is read, and what was written so shortly before its stamp was
 * taken that another change need not show there.
 * @throws as `markTree` does
 */
export async function changesIn(before: CheckFolder, signal: AbortSignal): Promise<ChangedTree> {
  const { mark, known } = before
  const { stamps } = mark
  const paths = new Set([...stamps.keys(), ...known.keys()].filter((path) => !isCache(textOf(path))))
  const now = (await markTree(mark.folder, [...paths], signal)).stamps
  const judge = judgeOf(before, signal)
  const all: Readonly<Record<FileChange, BytePath[]>> = {
    changed: [],
    restamped: [],
    appeared: [],
    steady: [],
  }
  let looked = 0
  for (const path of [...new Set([...paths, ...now.keys()])].sort()) {
    if (looked++ % filesAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    const change = judge(path, now.get(path))
    all[typeof change === 'string' ? change : await change].push(path)
  }
  const { changed, restamped, appeared } = all
  return { changed, restamped, appeared }
}

type FileChange = keyof ChangedTree | 'steady'

const filesAtOnce = 512

/** A promise only where content must be read. */
function judgeOf({ mark: { folder, stamps, takenAtMs }, known, isCopy }: CheckFolder, signal: AbortSignal) {
  const digests = new ContentDigests(fileReader)
  return (path: BytePath, is: Stamp | undefined): FileChange | Promise<FileChange> => {
    const [was, entry] = [stamps.get(path), known.get(path)]
    if (was === undefined && entry === undefined)
      return is === undefined || is.isDirectory() ? 'steady' : 'appeared'
    // What was in a folder that is gone is told by itself.
    if (is === undefined) return was?.isDirectory() === true ? 'steady' : 'changed'
    const stands = was !== undefined && isStill(was, is)
    if (was?.isDirectory() === true && is.isDirectory()) return stands ? 'steady' : 'restamped'
    if (stands && !isCopy && Number(is.ctimeNs / 1_000_000n) < takenAtMs - racyMs) return 'steady'
    // A link in a copy may lead elsewhere than the one that it is a copy of.
    if (entry === undefined || (isCopy && entry.kind === 'symlink')) return stands ? 'steady' : 'changed'
    const changeOf = (seen: Seen): FileChange => {
      if (typeof seen !== 'object' || seen.kind !== entry.kind || seen.digest !== entry.digest)
        return 'changed'
      return stands || was === undefined ? 'steady' : 'restamped'
    }
    const seen = readEntry(folder, path, digests, signal)
    return seen instanceof Promise ? seen.then(changeOf) : changeOf(seen)
  }
}
