/** The independent tree: the baseline's check side under the delivered product. */
import { hash } from 'node:crypto'
import { isLoadedUnasked } from '../../../../analysis/sides/index.ts'
import { textOf, type BytePath, bytePathOfText, type TreeEntry } from '../../tree/tree-entry.ts'
import { cleanCopy } from '../../clean-copy/clean-copy.ts'
import type { CleanCopy } from '../../clean-copy/new-folder.ts'
import type { OverlayFile } from '../../clean-copy/write-files.ts'
import type { TreeEntries } from '../../tree/read-tree.ts'
import type { ObjectStore } from '../../snapshot/snapshots.ts'
import { markTree, type CheckFolder } from '../../steady.ts'
import { isCache } from '../../watch/caches.ts'
import { dependenciesOf, type GuardParts } from '../guard-parts.ts'
import type { CheckSideChange } from '../compare/sided-changes.ts'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

export type Overlay = ReadonlyMap<BytePath, OverlayFile | null>

/**
 * What is laid over the delivered files so that the check side is the baseline's: the earlier file as a whole, of a file of
 * both sides its check parts; what was not there goes.
 * @throws {SnapshotError} for a damaged snapshot
 */
export function overlayOf(changes: readonly CheckSideChange[], objects: ObjectStore): Overlay {
  return new Map(
    changes.map(({ change, text }): readonly [BytePath, OverlayFile | null] => {
      const { bytePath, before, after, earlier } = change
      if (text !== undefined) {
        const mode = (after ?? before)?.mode ?? 0o644
        return [bytePath, { kind: 'file', content: Buffer.from(text), mode }]
      }
      if (before === null || earlier === undefined) return [bytePath, null]
      return [bytePath, { kind: before.kind, content: objects.get(earlier.digest), mode: before.mode }]
    }),
  )
}

/** Its earlier content is known, or there was none. */
export function canBePutBack({ change: { before, earlier } }: CheckSideChange): boolean {
  return before === null || earlier === undefined || earlier.isKept
}

/** Equal where equal files are laid over a copy. */
export function variantOf(overlay: Overlay): string {
  const lines = [...overlay].map(([path, file]) =>
    file === null ? `${path}\0gone` : `${path}\0${file.kind}\0${file.mode}\0${hash('sha256', file.content)}`,
  )
  return hash('sha256', lines.sort().join('\0\0'))
}

/**
 * A copy of the delivered tree under the overlay, with what the product builds, whether git ignores it or not, and without
 * what a runner would load unasked and git ignores.
 * @param tree without caches that the baseline did not have
 * @throws {SnapshotError} where it cannot be made
 */
export function layIndependentTree(
  tree: TreeEntries,
  overlay: Overlay,
  parts: GuardParts,
  signal: AbortSignal,
): Promise<CleanCopy> {
  // What is laid, or laid as absent, is not what the agent left there.
  const laid = [...overlay.keys()].map(textOf)
  // Where a file is put back, the folder is the baseline's.
  const putBack = [...overlay].flatMap(([path, file]) => (file === null ? [] : [textOf(path)]))
  const isLaid = (path: string): boolean =>
    laid.includes(path) || putBack.some((one) => one.startsWith(`${path}/`))
  return cleanCopy(
    {
      folder: parts.workFolder,
      entries: [...tree.values()],
      overlay,
      dependencies: dependenciesOf(parts),
      ignored: (path) => !isCache(path) && !isCache(`${path}/x`) && !isLoadedUnasked(path) && !isLaid(path),
    },
    signal,
  )
}

/** A copy of the tree under an overlay, as it stands before the checks. Throws as `markTree` does. */
export async function markCopy(
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

/**
 * The files of a folder as they are laid over a copy; links and the like are left out.
 * @throws the system's error for what is there and cannot be read: held-out checks do not run without their files
 */
export function heldOutOverlay(folder: string): ReadonlyMap<BytePath, OverlayFile> {
  const overlay = new Map<BytePath, OverlayFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const mode = statSync(file).mode & 0o777
    overlay.set(bytePathOfText(relative(folder, file)), { kind: 'file', content: readFileSync(file), mode })
  }
  return overlay
}
