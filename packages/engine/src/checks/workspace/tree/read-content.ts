import { isUtf8, type Buffer } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from 'node:fs'
import { hashBlob, SnapshotError } from '../../../trees/index.ts'
import { errorCodeOf, fileUnder, textOf, type TreeEntry } from './tree-entry.ts'

/** Longer texts are not compared line by line. */
export const maxTextBytes = 1024 * 1024

/**
 * The content of a file as it was listed, or the target of a symlink. Never follows a symlink.
 * @throws {SnapshotError} where it cannot be read, or is another one by now
 */
export function readContent(folder: string, entry: Pick<TreeEntry, 'path' | 'kind' | 'digest'>): Buffer {
  const content = readEntryBytes(folder, entry)
  if (hashBlob(content) === entry.digest) return content
  throw new SnapshotError(`${textOf(entry.path)} was changed while it was looked at`)
}

/** Null where it is no text, or too long. */
export function textIn(content: Buffer): string | null {
  return content.length <= maxTextBytes && isUtf8(content) ? content.toString() : null
}

/** The same, whatever content it has by now. @throws {SnapshotError} where it cannot be read */
export function readEntryBytes(folder: string, { path, kind }: Pick<TreeEntry, 'path' | 'kind'>): Buffer {
  const file = fileUnder(folder, path)
  try {
    if (kind === 'symlink') return readlinkSync(file, 'buffer')
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      if (!fstatSync(descriptor).isFile()) throw new SnapshotError(`${textOf(path)} is no file any more`)
      return readFileSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (error instanceof SnapshotError) throw error
    throw new SnapshotError(`${textOf(path)} cannot be read (${errorCodeOf(error)})`)
  }
}
