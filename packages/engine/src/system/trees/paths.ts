import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * A path with one character for each of its bytes, relative to the work folder and with `/` between its parts. File
 * names need not be valid text; this form loses nothing, and sorts by bytes.
 */
export type BytePath = string

/** What the file system takes: text where it is plain, bytes elsewhere. */
export type FilePath = string | Buffer

export function bytePathOf(bytes: Buffer): BytePath {
  return bytes.toString('latin1')
}

/** The other way round, for a path that is text. */
export function bytePathOfText(path: string): BytePath {
  return bytePathOf(Buffer.from(path))
}

/** For people and for globs; a name that is not valid text loses what is not. */
export function textOf(path: BytePath): string {
  return isPlain(path) ? path : Buffer.from(path, 'latin1').toString()
}

/** The same file for the file system: absolute when the folder is. */
export function fileUnder(folder: string, path: BytePath): FilePath {
  if (path === '') return folder
  return isPlain(path)
    ? `${folder}/${path}`
    : Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')])
}

/** The folder that a path is in; empty for the work folder itself. */
export function parentOf(path: BytePath): BytePath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Every folder that a path is in, the outermost first, without the work folder itself. */
export function foldersAbove(path: BytePath): readonly BytePath[] {
  const folders: BytePath[] = []
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at))
  return folders
}

/** Empty if the folder cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Writes all or nothing, for this user alone: a reader sees the earlier file or the new one. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, text, { mode: 0o600 })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function isPlain(path: BytePath): boolean {
  return !/[^\0-\x7f]/.test(path)
}

/** The system's name for an error, such as `ENOENT`. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/** A tree that is missing, damaged or cannot be stored: nothing can be compared, so nothing may pass. */
export class SnapshotError extends Error {
  override readonly name: string = 'SnapshotError'
}
