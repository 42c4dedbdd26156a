import type { Dirent } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'

export interface WalkedEntry {
  /** Relative to where the walk began. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'symlink' | 'other' | 'unreadable-folder'
  /** Of a symlink. It is shown, never followed. */
  readonly target?: string
}

export interface WalkOptions {
  /** 1: only what is in the folder itself. */
  readonly depth: number
  /** True: `.git` and `node_modules` too. */
  readonly all: boolean
  readonly signal: AbortSignal
}

const skippedFolders = ['.git', 'node_modules']

/**
 * Everything below a folder, in the order of names, a folder before what is in it.
 * @throws {DOMException} `AbortError` after an abort
 * @throws the system's error where the folder itself cannot be listed
 */
export async function* walkTree(root: string, options: WalkOptions): AsyncGenerator<WalkedEntry> {
  yield* walk(root, '', await readdir(root, { withFileTypes: true }), options)
}

async function* walk(
  root: string,
  folder: string,
  entries: readonly Dirent[],
  options: WalkOptions,
): AsyncGenerator<WalkedEntry> {
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    options.signal.throwIfAborted()
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) yield await readLeaf(root, path, entry)
    else if (options.all || !skippedFolders.includes(entry.name)) {
      const inside =
        options.depth > 1
          ? await readdir(join(root, path), { withFileTypes: true }).catch(() => undefined)
          : []
      yield { path, kind: inside === undefined ? 'unreadable-folder' : 'folder' }
      yield* walk(root, path, inside ?? [], { ...options, depth: options.depth - 1 })
    }
  }
}

async function readLeaf(root: string, path: string, entry: Dirent): Promise<WalkedEntry> {
  if (entry.isFile()) return { path, kind: 'file' }
  if (!entry.isSymbolicLink()) return { path, kind: 'other' }
  const target = await readlink(join(root, path)).catch(() => '?')
  return { path, kind: 'symlink', target }
}
