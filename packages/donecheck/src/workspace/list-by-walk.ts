import type { Dirent } from 'node:fs'
import type { Buffer } from 'node:buffer'
import { readdir } from 'node:fs/promises'
import { bytePathOf, fileUnder, type BytePath } from './byte-path.ts'
import { unreadable, type TreeEntry } from './tree-entry.ts'

export interface Listing {
  readonly paths: Iterable<BytePath>
  /** Folders that are there and cannot be listed. */
  readonly unreadable: readonly TreeEntry[]
}

/** Folders that hold no work: what a package manager or git itself keeps. */
const skippedFolders: readonly BytePath[] = ['.git', 'node_modules']

/**
 * Everything below a part of the folder that is not a folder itself. Symlinks are listed, never followed. `.git` and
 * `node_modules` are left out at any depth.
 * @throws {DOMException} `AbortError` after an abort
 */
export async function listByWalk(folder: string, below: BytePath, signal: AbortSignal): Promise<Listing> {
  const paths: BytePath[] = []
  const closed: TreeEntry[] = []
  const waiting: BytePath[] = [below]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    signal.throwIfAborted()
    const listed = await namesIn(fileUnder(folder, path))
    if (!Array.isArray(listed)) closed.push(unreadable(path, listed.error))
    else {
      const children = listed.map((entry) => ({ entry, child: join(path, bytePathOf(entry.name)) }))
      for (const { entry, child } of children) (entry.isDirectory() ? waiting : paths).push(child)
    }
  }
  return { paths, unreadable: closed }
}

async function namesIn(folder: Buffer): Promise<Dirent<Buffer>[] | { readonly error: unknown }> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' })
    return entries.filter(
      (entry) => !(entry.isDirectory() && skippedFolders.includes(bytePathOf(entry.name))),
    )
  } catch (error) {
    return { error }
  }
}

function join(folder: BytePath, name: BytePath): BytePath {
  return folder === '' ? name : `${folder}/${name}`
}
