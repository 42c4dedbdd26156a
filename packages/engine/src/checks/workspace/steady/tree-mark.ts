import { lstatSync, type BigIntStats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { fileUnder, parentOf, textOf, type BytePath } from '../tree/tree-entry.ts'
import { listNested, listTree, type Listing } from '../fingerprint/list-tree.ts'
import { realParents } from '../tree/real-parents.ts'
import { isCache } from '../watch/caches.ts'

/** What stands in a folder now, to be compared after the checks. */
export interface TreeMark {
  readonly folder: string
  /** Of the file system's clock. */
  readonly takenAtMs: number
  /** By path; undefined: asked for, and not there. */
  readonly stamps: ReadonlyMap<BytePath, Stamp | undefined>
}

export type Stamp = BigIntStats

/**
 * False once a file was written, replaced, or written and put back: nobody can set the time of its last change. Of a folder, once it
 * was replaced or moved; that entries came and went in it is told by these.
 */
export function isStill(was: Stamp, is: Stamp): boolean {
  const isSame = was.ino === is.ino && was.dev === is.dev && was.mode === is.mode
  if (was.isDirectory() && is.isDirectory())
    return isSame && (was.ctimeNs === is.ctimeNs || was.mtimeNs !== is.mtimeNs)
  return isSame && was.ctimeNs === is.ctimeNs && was.mtimeNs === is.mtimeNs && was.size === is.size
}

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
