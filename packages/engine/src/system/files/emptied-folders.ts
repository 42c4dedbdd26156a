import { rmdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { resolveLinks } from './resolve-links.ts'

/**
 * Removes the folders that are empty; never a file, and nothing behind a symlink. What cannot be removed stays.
 * @param folders relative to the root, those above first
 * @returns those that were removed
 */
export async function removeEmptyFolders(
  root: string,
  folders: readonly string[],
): Promise<readonly string[]> {
  const base = await resolveLinks(resolve(root))
  if (base.kind === 'failed') return []
  const removed: string[] = []
  for (const folder of folders.toReversed()) {
    const place = join(base.path, folder)
    const found = await resolveLinks(place)
    if (found.kind === 'failed' || found.path !== place) continue
    const isRemoved = await rmdir(place).then(
      () => true,
      () => false,
    )
    if (isRemoved) removed.push(folder)
  }
  return removed
}
