import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, open, readlink } from 'node:fs/promises'

/** One path that is not as it is in a revision. A renamed file is two of them: one removed, one added. */
export interface TreeChange {
  /** Relative to the folder that is checked, with `/`; one outside of it begins with `../`. */
  readonly path: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** `commits` and `index`: only there; the work tree is as it was. */
  readonly place: 'work-tree' | 'index' | 'commits'
  readonly addedLines: number
  readonly removedLines: number
  /** Its lines count as none. */
  readonly binary: boolean
  /** As it is now; 0 for something removed. */
  readonly bytes: number
}

/** A file on the disk, or a symlink: its target is its content. */
export interface Content {
  readonly lines: number
  readonly binary: boolean
  readonly bytes: number
}

/** Where a NUL stands within so many bytes, git and we speak of a binary file. */
const sniffedBytes = 8000

/** Undefined: there is no file at that path (any more). */
export async function contentAt(file: string, signal: AbortSignal): Promise<Content | undefined> {
  const stats = await lstat(file).catch(() => undefined)
  if (stats?.isSymbolicLink() === true) return { lines: 1, binary: false, bytes: stats.size }
  if (stats?.isFile() !== true) return undefined
  const counted = { lines: 0, bytes: 0, binary: false, last: 0x0a }
  for await (const piece of createReadStream(file, { signal })) {
    if (!Buffer.isBuffer(piece)) continue
    const sniffed = piece.subarray(0, Math.max(0, sniffedBytes - counted.bytes))
    counted.binary ||= sniffed.includes(0)
    for (const byte of piece) if (byte === 0x0a) counted.lines += 1
    counted.last = piece.at(-1) ?? counted.last
    counted.bytes += piece.length
  }
  const lines = counted.lines + (counted.last === 0x0a ? 0 : 1)
  return { lines: counted.binary ? 0 : lines, binary: counted.binary, bytes: counted.bytes }
}

export async function isBinaryFile(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined)
  if (handle === undefined) return false
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0)
    return buffer.subarray(0, bytesRead).includes(0)
  } catch {
    return false
  } finally {
    await handle.close()
  }
}

export function isBinaryText(text: string): boolean {
  return text.slice(0, sniffedBytes).includes('\0')
}

/** SHA-256, hex, of a file's content or a symlink's target; null where nothing of the kind is there. */
export async function digestAt(file: string, signal: AbortSignal): Promise<string | null> {
  const stats = await lstat(file).catch(() => undefined)
  const hash = createHash('sha256')
  if (stats?.isSymbolicLink() === true) return hash.update(await readlink(file, 'buffer')).digest('hex')
  if (stats?.isFile() !== true) return null
  for await (const piece of createReadStream(file, { signal })) if (Buffer.isBuffer(piece)) hash.update(piece)
  return hash.digest('hex')
}

/** Names from outside, for a sentence: what is not plain text stands as in JSON. */
export function showPath(path: string): string {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(path) && path === path.trim() ? path : JSON.stringify(path)
}
