import { readdirSync, type Dirent, lstatSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { join } from 'node:path'
import type { FilePath } from '../tree/tree-entry.ts'

/** Folders in which tools keep what they believe of files of the tree, and files of that kind. */
const cacheFolder = /^(__pycache__|\.(?:mypy|pytest|ruff)_cache)$/
const cacheFile = /\.tsbuildinfo$|^\.(?:eslint|stylelint)cache$/
/** Folders that hold no sources, in which build information is kept all the same. */
const beside = ['', 'dist', 'build', 'out', 'node_modules/.tmp', 'node_modules/.cache']

const maxFiles = 20_000
const foldersAtOnce = 128

/** By path relative to the work folder. */
export type CacheStamps = ReadonlyMap<string, string>

/** Whether a file is such a cache. @param path relative to the work folder */
export function isCache(path: string): boolean {
  const parts = path.split('/')
  return parts.slice(0, -1).some((part) => cacheFolder.test(part)) || cacheFile.test(parts.at(-1) ?? '')
}

/** Files of caches, whether git ignores them or not. @param folders of the tree, relative to the work folder */
export async function lookAtCaches(
  workFolder: string,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<CacheStamps> {
  const stamps = new Map<string, string>()
  const looked = new Set([...beside, ...folders.filter((folder) => !isCache(`${folder}/x`))])
  for (const [index, folder] of [...looked].entries()) {
    if (index % foldersAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    for (const entry of entriesIn(join(workFolder, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory() && cacheFolder.test(entry.name)) addBelow(stamps, workFolder, path)
      else if (cacheFile.test(entry.name)) add(stamps, workFolder, path)
    }
  }
  return stamps
}

/** Files that were written or replaced between two looks; what went cannot mislead. */
export function writtenCaches(before: CacheStamps, now: CacheStamps): readonly string[] {
  return [...now].filter(([path, stamp]) => before.get(path) !== stamp).map(([path]) => path)
}

function addBelow(stamps: Map<string, string>, workFolder: string, folder: string): void {
  for (const entry of entriesIn(join(workFolder, folder))) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) addBelow(stamps, workFolder, path)
    else add(stamps, workFolder, path)
  }
}

function add(stamps: Map<string, string>, workFolder: string, path: string): void {
  const stamp = stamps.size < maxFiles ? readStamp(join(workFolder, path)) : undefined
  if (stamp !== undefined) stamps.set(path, stamp)
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/**
 * A text that is another one once the file was written to, replaced, or written and put back: nobody can set the time
 * of its last change. Undefined: nothing is there.
 * @throws the system's error for what is there and cannot be looked at
 */
function readStamp(file: FilePath): string | undefined {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined
    ? undefined
    : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs, stats.mode].join(' ')
}
