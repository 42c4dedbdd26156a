import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import { fileUnder, type BytePath } from './byte-path.ts'
import type { ContentDigests } from './content-digests.ts'
import { errorCodeOf, unreadable, type TreeEntry } from './tree-entry.ts'

/** Undefined: nothing is there (any more). `folder`: to be listed by whoever asks. */
export type Seen = TreeEntry | 'folder' | undefined

/**
 * Looks at one path; a symlink is its target text, never what it points to.
 * @throws {DOMException} `AbortError` after an abort; nothing else
 */
export async function readEntry(
  folder: string,
  path: BytePath,
  digests: ContentDigests,
  signal: AbortSignal,
): Promise<Seen> {
  const file = fileUnder(folder, path)
  let stats: BigIntStats | undefined
  try {
    stats = await lstat(file, { bigint: true })
    if (stats.isDirectory()) return 'folder'
    if (stats.isSymbolicLink())
      return { path, kind: 'symlink', digest: sha256(await readlink(file, 'buffer')) }
    if (!stats.isFile()) return { path, kind: 'other', digest: '' }
    const kind = (stats.mode & 0o111n) === 0n ? 'file' : 'executable'
    return { path, kind, digest: await digests.digestOf(path, file, stats, signal) }
  } catch (error) {
    signal.throwIfAborted()
    const isGone = ['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error))
    return isGone ? undefined : unreadable(path, error, stats?.size)
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
