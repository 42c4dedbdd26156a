import { resolve } from 'node:path'
import type { Workspace } from '../ports.ts'
import type { BytePath } from './byte-path.ts'
import { ContentDigests, fileReader, type ContentReader } from './content-digests.ts'
import type { Listing } from './list-by-walk.ts'
import { listNested, listTree } from './list-tree.ts'
import { readEntry } from './read-entry.ts'
import { realParents } from './real-parents.ts'
import { digestOfTree, type TreeEntry } from './tree-entry.ts'

/** Files of one listing that are looked at at the same time. */
const parallelReads = 16

/**
 * The work tree as one digest (SHA-256, hex) over path, kind, executable bit and content of its files. In a git
 * repository these are the tracked files and the untracked ones that are not ignored; elsewhere all files outside of
 * `.git` and `node_modules`. Only what is below the folder counts. Times, owners, empty folders, the index and commits
 * do not count.
 *
 * `fingerprint` rejects with the signal's reason after an abort, and for nothing else: what cannot be read is a part
 * of the fingerprint, as unreadable.
 */
export function gitOrWalkWorkspace(folder: string, reader: ContentReader = fileReader): Workspace {
  const absolute = resolve(folder)
  const digests = new ContentDigests(reader)
  return {
    folder: absolute,
    async fingerprint(signal) {
      signal.throwIfAborted()
      const entries = await entriesOf(absolute, digests, signal)
      digests.keepOnly(new Set(entries.keys()))
      return digestOfTree([...entries.values()])
    },
  }
}

async function entriesOf(
  folder: string,
  digests: ContentDigests,
  signal: AbortSignal,
): Promise<ReadonlyMap<BytePath, TreeEntry>> {
  const entries = new Map<BytePath, TreeEntry>()
  const isInTree = realParents(folder)
  const see = async (path: BytePath): Promise<void> => {
    if (!(await isInTree(path))) return
    const seen = await readEntry(folder, path, digests, signal)
    if (seen === 'folder') await seeAll(await listNested(folder, path, signal))
    else if (seen !== undefined) entries.set(path, seen)
  }
  const seeAll = async ({ paths, unreadable }: Listing): Promise<void> => {
    for (const entry of unreadable) entries.set(entry.path, entry)
    await inParallel(paths, see, signal)
  }
  await seeAll(await listTree(folder, signal))
  return entries
}

/** Every worker takes the next path from the one iterator until it is empty. */
async function inParallel(
  paths: Iterable<BytePath>,
  see: (path: BytePath) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queue = paths[Symbol.iterator]()
  const work = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      signal.throwIfAborted()
      await see(next.value)
    }
  }
  await Promise.all(Array.from({ length: parallelReads }, work))
}
