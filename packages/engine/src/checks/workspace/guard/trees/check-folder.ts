import { hash } from 'node:crypto'
import type { BytePath, TreeEntry } from '../../tree/tree-entry.ts'
import type { OverlayFile } from '../../clean-copy/write-files.ts'
import type { TreeEntries } from '../../tree/read-tree.ts'
import { markTree } from '../../steady/tree-mark.ts'
import type { Overlay } from './independent-tree.ts'
import type { CheckFolder } from '../../steady/changed-since.ts'

/** A copy of the tree under an overlay. Throws as `markTree` does. */
export async function layCopy(
  folder: string,
  tree: TreeEntries,
  overlay: Overlay,
  signal: AbortSignal,
): Promise<CheckFolder> {
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
