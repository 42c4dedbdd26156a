import { constants } from 'node:fs'
import { lstat, open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

/** `refused`: the work is not as it should be. `unreadable`: nothing is known of it. */
export type OpenedFile =
  | { readonly kind: 'open'; readonly handle: FileHandle }
  | { readonly kind: 'refused' | 'unreadable'; readonly reason: string }

/** A pipe in its place would wait for ever; a symlink in its place is one that was not there before. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/**
 * Opens a regular file of the work folder for reading. Symlinks are followed as long as they stay in the folder.
 * Never rejects; the handle is the caller's to close.
 */
export async function openFile(folder: string, path: string): Promise<OpenedFile> {
  try {
    const root = await realpath(folder)
    const real = await realpath(join(root, path))
    if (!real.startsWith(root === '/' ? root : `${root}/`))
      return { kind: 'refused', reason: `${path} leads out of the work folder, to ${real}` }
    const found = await lstat(real)
    if (found.isDirectory()) return { kind: 'refused', reason: `${path} is a folder, not a file` }
    if (!found.isFile()) return { kind: 'refused', reason: `${path} is no regular file` }
    return await openStable(join(root, path), real, path)
  } catch (error) {
    return problemOf(error, path)
  }
}

/** What was opened must still be what the path leads to: somebody may be moving symlinks meanwhile. */
async function openStable(given: string, real: string, path: string): Promise<OpenedFile> {
  const handle = await open(real, flags)
  try {
    const [seen, now, again] = await Promise.all([handle.stat(), stat(real), realpath(given)])
    if (again === real && seen.isFile() && seen.ino === now.ino && seen.dev === now.dev)
      return { kind: 'open', handle }
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  return { kind: 'unreadable', reason: `${path} was replaced while it was looked at` }
}

function problemOf(error: unknown, path: string): OpenedFile {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'refused', reason: `there is no ${path}` }
  if (code === 'ELOOP') return { kind: 'refused', reason: `${path} is a symlink that leads nowhere` }
  return { kind: 'unreadable', reason: `${path} cannot be read: ${code}` }
}
