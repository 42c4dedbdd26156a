import type { BytePath } from './byte-path.ts'
import type { ContentDigests } from '../fingerprint/content-digests.ts'
import { listDecidingIgnored } from '../fingerprint/list-ignored.ts'
import { listTree } from '../fingerprint/list-tree.ts'
import { readTree, type TreeEntries } from './read-tree.ts'

export interface WholeTree {
  readonly tree: TreeEntries
  /** Files of it that git ignores. */
  readonly ignored: ReadonlySet<BytePath>
}

/**
 * Every file that counts, and those that git ignores and that decide a check all the same.
 * @param scripts of the checks, relative to the work folder
 * @throws {DOMException} `AbortError` after an abort
 */
export async function readWholeTree(
  folder: string,
  scripts: readonly string[],
  digests: ContentDigests,
  signal: AbortSignal,
): Promise<WholeTree> {
  const ignored = await listDecidingIgnored(folder, scripts, signal)
  const tree = await readTree(folder, digests, signal, async () => {
    const listed = await listTree(folder, signal)
    return { ...listed, paths: [...listed.paths, ...ignored] }
  })
  digests.keepOnly(tree)
  return { tree, ignored: new Set(ignored) }
}
