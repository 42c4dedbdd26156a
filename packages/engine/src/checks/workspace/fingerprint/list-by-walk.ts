import { readdirSync, type Dirent } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Buffer } from 'node:buffer'
import { bytePathOf, fileUnder, type BytePath, type FilePath } from '../tree/byte-path.ts'
import { unreadable, type TreeEntry } from '../tree/tree-entry.ts'

export interface Listing {
  readonly paths: readonly BytePath[]
  /** Folders that are there and cannot be listed. */
  readonly unreadable: readonly TreeEntry[]
}

/** Folders that hold no work: what a package manager or git itself keeps. */
export const skippedFolders: readonly BytePath[] = ['.git', 'node_modules']

/** Folders that are listed in one go, before others may work. */
const foldersAtOnce = 64

/**
 * Everything below a part of the folder that is not a folder itself. Symlinks are listed, never followed.
 * @param skipped names of folders that are left out at any depth
 * @throws {DOMException} `AbortError` after an abort
 */
export async function listByWalk(
  folder: string,
  below: BytePath,
  signal: AbortSignal,
  skipped: readonly BytePath[] = skippedFolders,
): Promise<Listing> {
  const paths: BytePath[] = []
  const closed: TreeEntry[] = []
  const waiting: BytePath[] = [below]
  let listedFolders = 0
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (listedFolders++ % foldersAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    const listed = namesIn(fileUnder(folder, path))
    if (!Array.isArray(listed)) {
      closed.push(unreadable(path, listed.error))
      continue
    }
    for (const entry of listed) {
      const name = bytePathOf(entry.name)
      const child = path === '' ? name : `${path}/${name}`
      if (!entry.isDirectory()) paths.push(child)
      else if (!skipped.includes(name)) waiting.push(child)
    }
  }
  return { paths, unreadable: closed }
}

function namesIn(folder: FilePath): Dirent<Buffer>[] | { readonly error: unknown } {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    return { error }
  }
}
