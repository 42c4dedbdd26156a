import { lstatSync, readFileSync } from 'node:fs'
import {
  hashBlob,
  type ObjectId,
  type Overlay,
  fileReader,
  type TreeEntries,
  fileUnder,
  textOf,
  type BytePath,
} from '../../../system/trees/index.ts'

interface LaidFiles {
  readonly folder: string
  readonly tree: TreeEntries
  readonly overlay: Overlay
}

/**
 * @param paths snapshots among them may grow, because runners append new tests
 * @returns a function that lists files since changed or removed
 */
export function rememberLaidFiles(
  { folder, tree, overlay }: LaidFiles,
  paths: readonly BytePath[],
): (signal: AbortSignal) => Promise<readonly string[]> {
  const stamps = new Map(paths.map((path) => [path, stampOf(folder, path)]))
  const snapshots = new Map(
    paths.filter((path) => path.endsWith('.snap')).map((path) => [path, linesAt(folder, path)]),
  )
  return async (signal) => {
    const others: string[] = []
    for (const [path, stamp] of stamps) {
      if (stamp === undefined || stampOf(folder, path) === stamp) continue
      const file = overlay.get(path)
      const laid = file ? hashBlob(file.content) : tree.get(path)?.digest
      if ((await contentAt(folder, path, signal)) === laid) continue
      const now = new Set(snapshots.has(path) ? linesAt(folder, path) : [])
      const hasGrown = snapshots.get(path)?.every((line) => now.has(line)) === true
      if (!hasGrown) others.push(textOf(path))
    }
    return others
  }
}

/** Uses the change time, which cannot be forged. @returns undefined if not a file */
function stampOf(folder: string, path: BytePath): string | undefined {
  const stats = lstatSync(fileUnder(folder, path), { bigint: true, throwIfNoEntry: false })
  return stats?.isFile() === true ? `${stats.ino} ${stats.ctimeNs} ${stats.size}` : undefined
}

async function contentAt(folder: string, path: BytePath, signal: AbortSignal): Promise<ObjectId | undefined> {
  try {
    return await fileReader.digest(fileUnder(folder, path), signal)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

function linesAt(folder: string, path: BytePath): readonly string[] {
  try {
    return readFileSync(fileUnder(folder, path), 'utf8').split('\n')
  } catch {
    return []
  }
}
