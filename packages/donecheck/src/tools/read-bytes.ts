import { Buffer } from 'node:buffer'
import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

export type FileBytes =
  | {
      readonly kind: 'file'
      readonly bytes: Buffer
      /** Permission bits. */
      readonly mode: number
    }
  | { readonly kind: 'missing' }
  /** A folder, a pipe, a symlink, too large, not permitted: the problem follows the file's name in a sentence. */
  | { readonly kind: 'unreadable'; readonly problem: string }

/** The whole of one regular file. Follows no symlink in the last part of its path, and waits for no pipe. */
export async function readBytes(absolute: string, maxBytes: number): Promise<FileBytes> {
  let handle: FileHandle | undefined
  try {
    handle = await open(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = await handle.stat()
    if (stats.isDirectory()) return { kind: 'unreadable', problem: 'is a folder' }
    if (!stats.isFile()) return { kind: 'unreadable', problem: 'is not a regular file' }
    const bytes = await readUpTo(handle, maxBytes)
    if (bytes !== undefined) return { kind: 'file', bytes, mode: stats.mode & 0o7777 }
    return {
      kind: 'unreadable',
      problem: `has ${stats.size} bytes, more than the ${maxBytes} that can be handled`,
    }
  } catch (error) {
    return problemOf(error)
  } finally {
    await handle?.close()
  }
}

/** Undefined when there is more. The size of a file that grows is not to be believed. */
async function readUpTo(handle: FileHandle, maxBytes: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let total = 0
  for (;;) {
    const { bytesRead, buffer } = await handle.read({
      buffer: Buffer.allocUnsafe(256 * 1024),
      position: null,
    })
    if (bytesRead === 0) return Buffer.concat(pieces)
    total += bytesRead
    if (total > maxBytes) return undefined
    pieces.push(buffer.subarray(0, bytesRead))
  }
}

function problemOf(error: unknown): FileBytes {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return { kind: 'missing' }
  const problems = { ELOOP: 'is a symlink now', EACCES: 'may not be read', ENXIO: 'is not a regular file' }
  const known = Object.entries(problems).find(([name]) => name === code)
  return { kind: 'unreadable', problem: known?.[1] ?? `cannot be read: ${String(error)}` }
}
