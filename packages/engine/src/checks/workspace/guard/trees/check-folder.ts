import { hash } from 'node:crypto'
import type { BytePath } from '../../tree/byte-path.ts'
import type { OverlayFile } from '../../clean-copy/overlay.ts'
import type { TreeEntries } from '../../tree/read-tree.ts'
import type { TreeEntry } from '../../tree/tree-entry.ts'
import { changedSince, type ChangedTree, type KnownFiles } from '../../steady/changed-since.ts'
import { markTree, type TreeMark } from '../../steady/tree-mark.ts'
import type { Overlay } from './independent-tree.ts'

/** A folder as it stands before the checks run in it. */
export interface Laid {
  readonly mark: TreeMark
  readonly known: KnownFiles
  readonly isCopy: boolean
}

/** @param mark from before the tree was read */
export function laidInPlace(mark: TreeMark, tree: TreeEntries): Laid {
  return { mark, known: tree, isCopy: false }
}

/** A copy of the tree under an overlay. Throws as `markTree` does. */
export async function laidCopy(
  folder: string,
  tree: TreeEntries,
  overlay: Overlay,
  signal: AbortSignal,
): Promise<Laid> {
  const known = new Map<BytePath, Pick<TreeEntry, 'kind' | 'digest'>>(tree)
  for (const [path, file] of overlay)
    if (file === null) known.delete(path)
    else known.set(path, { kind: kindOf(file), digest: hash('sha256', file.content) })
  return { mark: await markTree(folder, [], signal), known, isCopy: true }
}

function kindOf({ kind, mode }: OverlayFile) {
  if (kind === 'symlink') return kind
  return (mode & 0o111) === 0 ? 'file' : 'executable'
}

/** What became of it. Throws as `markTree` does. */
export function changedIn({ mark, known, isCopy }: Laid, signal: AbortSignal): Promise<ChangedTree> {
  return changedSince(mark, known, isCopy, signal)
}
