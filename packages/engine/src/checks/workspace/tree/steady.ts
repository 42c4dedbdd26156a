/** Whether a folder is still what it was before checks ran in it. */
import { lstatSync, type BigIntStats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { ContentDigests, fileReader } from './content-digests.ts'
import { listNested, listTree, type Listing } from './list-tree.ts'
import { readEntry, type Seen } from './read-tree.ts'
import { realParents, fileUnder, parentOf, textOf, type BytePath, type TreeEntry } from './tree-entry.ts'
import { isCache } from '../watch/caches.ts'

/** What stands in a folder now, to be compared after the checks. */
interface TreeMark {
  readonly folder: string
  /** Of the file system's clock. */
  readonly takenAtMs: number
  /** By path; undefined: asked for, and not there. */
  readonly stamps: ReadonlyMap<BytePath, Stamp | undefined>
}

type Stamp = BigIntStats

const filesAtOnce = 512

/**
 * Looks at every file that counts in the folder, as git sees it or by a walk, and at the folders that hold them, without reading
 * any; caches of tools are left out.
 * To be taken before the files are read by whoever judges them: what is written after that is noticed.
 * @param extra files that do not count there, such as ignored ones that a check runs
 * @param listing what counts in the folder, where it was listed just now
 * @throws {DOMException} `AbortError` after an abort, and the system's error for what is there and cannot be looked at
 */
export async function markTree(
  folder: string,
  extra: readonly BytePath[],
  signal: AbortSignal,
  listing?: Listing,
): Promise<TreeMark> {
  const takenAtMs = Date.now()
  const stamps = new Map<BytePath, Stamp | undefined>()
  for (const path of extra) stamps.set(path, look(folder, path))
  const isInTree = realParents(folder)
  const { paths } = listing ?? (await listTree(folder, signal))
  const waiting = [...paths].reverse()
  let looked = 0
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (looked++ % filesAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    if (stamps.has(path) || !isInTree(path) || isCache(textOf(path))) continue
    const stats = look(folder, path)
    if (stats === undefined) continue
    if (stats.isDirectory()) waiting.push(...(await listNested(folder, path, signal)).paths)
    else stamps.set(path, stats)
    for (let parent = parentOf(path); parent !== '' && !stamps.has(parent); parent = parentOf(parent))
      stamps.set(parent, look(folder, parent))
  }
  return { folder, takenAtMs, stamps }
}

function look(folder: string, path: BytePath): Stamp | undefined {
  return lstatSync(fileUnder(folder, path), { bigint: true, throwIfNoEntry: false })
}

/** What became of a folder while checks ran in it. Sorted. */
interface ChangedTree {
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

/**
 * False once a file was written, replaced, or written and put back: nobody can set the time of its last change. Of a folder, once it
 * was replaced or moved; that entries came and went in it is told by these.
 */
function isStill(was: Stamp, is: Stamp): boolean {
  const isSame = was.ino === is.ino && was.dev === is.dev && was.mode === is.mode
  if (was.isDirectory() && is.isDirectory())
    return isSame && (was.ctimeNs === is.ctimeNs || was.mtimeNs !== is.mtimeNs)
  return isSame && was.ctimeNs === is.ctimeNs && was.mtimeNs === is.mtimeNs && was.size === is.size
}
