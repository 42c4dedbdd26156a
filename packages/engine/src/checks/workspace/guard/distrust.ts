import type { TreeEntries } from '../tree/read-tree.ts'
import type { Manifest } from '../snapshot/manifest.ts'
import { isCache, lookAtCaches, writtenCaches, type CacheStamps } from '../watch/caches.ts'
import { textOf } from '../tree/tree-entry.ts'
import { listPaths } from './reports.ts'
import { foldersOf } from './trees/observation.ts'

/**
 * Caches that somebody else than the checks may have written: a tool would believe them over the sources.
 * @param trusted undefined after a resume: whatever was written since the run began is not trusted then
 */
export async function findDistrustedCaches(
  workFolder: string,
  tree: TreeEntries,
  manifest: Manifest,
  trusted: CacheStamps | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const now = await lookAtCaches(workFolder, foldersOf(tree), signal)
  const written = writtenCaches(trusted ?? new Map(), now)
  return trusted === undefined
    ? written.filter((path) => changedAtMs(now.get(path)) >= manifest.takenAtMs)
    : written
}

function changedAtMs(stamp: string | undefined): number {
  const changedNs = stamp?.split(' ')[3]
  return changedNs === undefined ? 0 : Number(BigInt(changedNs) / 1_000_000n)
}

/** The tree without caches that came after the start. */
export function withoutCaches(tree: TreeEntries, manifest: Manifest): TreeEntries {
  const agreed = new Map(manifest.entries.map(({ path, digest }) => [path, digest]))
  return new Map(
    [...tree].filter(([path, { digest }]) => !isCache(textOf(path)) || agreed.get(path) === digest),
  )
}

export function distrustNotes(caches: readonly string[]): readonly string[] {
  if (caches.length === 0) return []
  return [
    `caches were written since the checks last ran (${listPaths(caches, 3)}): the checks run in a copy without them`,
  ]
}

/** Whether a file or folder is one of these, holds one, or is another cache. */
export function hasDistrusted(path: string, caches: readonly string[]): boolean {
  return isCache(`${path}/x`) || isCache(path) || caches.some((cache) => cache.startsWith(`${path}/`))
}
