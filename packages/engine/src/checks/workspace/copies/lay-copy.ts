import { mkdirSync, realpathSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { findRepository, makeScratchFolder, removeScratchFolder } from '../../../system/process/index.ts'
import type { Overlay, Trees } from '../../../trees/index.ts'
import type { TreeEntries } from '../tree/read-tree.ts'
import { storeTree } from '../tree/store-tree.ts'
import { bringDependencies, type Dependencies } from './dependencies.ts'
import { makeRepository } from './own-repository.ts'

interface CopyRequest {
  readonly trees: Trees
  /** The work folder. */
  readonly folder: string
  /** The files that the copy gets: no leftover, no ignored file, no pipe and no socket. */
  readonly entries: TreeEntries
  readonly overlay: Overlay
  readonly dependencies: Dependencies
}

export interface Copy {
  readonly folder: string
  /** Never rejects, and follows no link. */
  dispose(): Promise<void>
}

/**
 * The work tree again, in a folder of its own; a git repository at the commit of the work folder's, where that is one. A folder
 * inside a larger repository gets the same place inside the copy. Symlinks stay as they are; those that name the work folder
 * itself name the copy instead. Installed dependencies that are linked keep their own real place: a package that is installed in
 * editable mode (Python) still points to the work folder.
 * @throws {SnapshotError} where a file cannot be read or changes meanwhile
 */
export async function layCopy(request: CopyRequest, signal: AbortSignal): Promise<Copy> {
  const { trees, entries, overlay, dependencies } = request
  const original = realpathSync(resolve(request.folder))
  const place = findRepository(original)
  const tree = await storeTree(trees, original, entries, signal)
  const laid = await trees.mix(tree, overlay, signal)
  return inNewFolder(async (root) => {
    const folder = place === undefined ? root : join(root, relative(place.root, original))
    mkdirSync(folder, { recursive: true })
    await trees.lay(laid, folder, { original, signal })
    await bringDependencies({ original, folder, root, dependencies, signal }, [...entries.values()])
    if (place !== undefined) await makeRepository(place, root, signal)
    signal.throwIfAborted()
    return { folder }
  })
}

/** The folder goes again if it cannot be filled. */
export async function inNewFolder<Filled>(
  fill: (root: string) => Promise<Filled>,
): Promise<Filled & Pick<Copy, 'dispose'>> {
  const root = makeScratchFolder('copy')
  const dispose = () => {
    removeScratchFolder(root)
    return Promise.resolve()
  }
  try {
    return { ...(await fill(root)), dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}
