import { Buffer } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { decodeTextFile, textWithMark } from '../../analysis/patch/index.ts'
import { codeOf } from '../../base/index.ts'

/** Larger files are not changed: nobody compares them with what they were. */
export const maxFileBytes = 8 * 1024 * 1024

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

/**
 * The whole of one regular file. Follows no symlink in the last part of its path, and waits for no pipe. Not in the background:
 * handing it over would cost more than doing it.
 */
export async function readBytes(absolute: string, maxBytes: number): Promise<FileBytes> {
  let descriptor: number | undefined
  try {
    descriptor = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = fstatSync(descriptor)
    if (stats.isDirectory()) return { kind: 'unreadable', problem: 'is a folder' }
    if (!stats.isFile()) return { kind: 'unreadable', problem: 'is not a regular file' }
    const bytes = readUpTo(descriptor, maxBytes, stats.size)
    if (bytes !== undefined) return { kind: 'file', bytes, mode: stats.mode & 0o7777 }
    return {
      kind: 'unreadable',
      problem: `has ${stats.size} bytes, more than the ${maxBytes} that can be handled`,
    }
  } catch (error) {
    return problemOf(error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The text of a file. Null: there is none. Undefined: it is no text, or nobody may look. */
export async function readTextFile(absolute: string): Promise<string | null | undefined> {
  const read = await readBytes(absolute, maxFileBytes)
  if (read.kind === 'missing') return null
  return read.kind === 'file' ? textOfBytes(read.bytes) : undefined
}

/** Undefined: they are no text. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  const decoded = decodeTextFile(bytes)
  return decoded.kind === 'text' ? textWithMark(decoded) : undefined
}

/** Undefined when there is more. The size of a file that grows is not to be believed. */
function readUpTo(descriptor: number, maxBytes: number, size: number): Buffer | undefined {
  const pieces: Buffer[] = []
  // Most files are small, and so many large buffers would be work for the collector.
  const pieceBytes = Math.min(Math.max(size + 1, 4 * 1024), 256 * 1024)
  let total = 0
  for (;;) {
    const buffer = Buffer.allocUnsafe(pieceBytes)
    const bytesRead = readSync(descriptor, buffer, 0, pieceBytes, null)
    if (bytesRead === 0) return Buffer.concat(pieces)
    total += bytesRead
    if (total > maxBytes) return undefined
    pieces.push(buffer.subarray(0, bytesRead))
  }
}

const problems: Readonly<Record<string, string>> = {
  ELOOP: 'is a symlink now',
  EACCES: 'may not be read',
  ENXIO: 'is not a regular file',
}

function problemOf(error: unknown): FileBytes {
  const code = codeOf(error) ?? ''
  if (code === 'ENOENT') return { kind: 'missing' }
  return { kind: 'unreadable', problem: problems[code] ?? `cannot be read: ${String(error)}` }
}
