import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** One character per byte, relative to the work folder with `/`. Lossless, and sorts by bytes. */
export type BytePath = string

/** Text if plain ASCII, otherwise bytes. */
export type FilePath = string | Buffer

export function bytePathOf(bytes: Buffer): BytePath {
  return bytes.toString('latin1')
}

/** The other way round, for a path that is text. */
export function bytePathOfText(path: string): BytePath {
  return bytePathOf(Buffer.from(path))
}

/** For people and globs; invalid text is lossy. */
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

/** Empty for the top level. */
export function parentOf(path: BytePath): BytePath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** All parent folders, outermost first, without the work folder. */
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

/** Writes atomically, with mode 0600. */
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

export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/** A tree that is missing, damaged or cannot be stored, so nothing may pass. */
export class SnapshotError extends Error {
  override readonly name: string = 'SnapshotError'
}
