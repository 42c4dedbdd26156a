/** What stands at a path, for those to whom a missing file is no error. */
import { createHash } from 'node:crypto'
import { Buffer } from 'node:buffer'
import { lstatSync, readFileSync, statSync } from 'node:fs'

/** What is known of one file. Times and owners are left out on purpose. */
export interface TreeEntry {
  readonly path: BytePath
  /** `other`: a pipe, socket or device; `unreadable`: it is there, and may not be read. */
  readonly kind: 'file' | 'executable' | 'symlink' | 'other' | 'unreadable'
  /** Of the content, or of a symlink's target text; for something unreadable, why and how large it is. */
  readonly digest: string
  /** Permission bits. Not a part of the fingerprint, which knows `executable` alone. */
  readonly mode: number
  readonly sizeBytes: number
}

/** A file or folder that is there for the tree, and cannot be looked into. */
export function unreadable(path: BytePath, error: unknown, sizeBytes = 0): TreeEntry {
  return { path, kind: 'unreadable', digest: `${errorCodeOf(error)}:${sizeBytes}`, mode: 0, sizeBytes }
}

/** The system's name for an error, such as `ENOENT`. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/** Equal for equal sets of entries in any order. No path can contain the separator. */
export function digestOfTree(
  entries: readonly Pick<TreeEntry, 'path' | 'kind' | 'digest'>[],
  heading = 'donecheck work tree 1',
): string {
  const lines = [...entries].sort(byPath).map(({ path, kind, digest }) => `${kind}\0${digest}\0${path}\0`)
  return createHash('sha256').update(`${heading}\0`).update(lines.join(''), 'latin1').digest('hex')
}

function byPath(one: { readonly path: BytePath }, other: { readonly path: BytePath }): number {
  if (one.path === other.path) return 0
  return one.path < other.path ? -1 : 1
}

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

function isPlain(path: BytePath): boolean {
  return !/[^\0-\x7f]/.test(path)
}

/**
 * Tells whether every folder above a path is a folder, and no symlink to one: git keeps a path in its index when
 * somebody puts a symlink in the place of its folder. Answers are remembered as long as the function lives.
 */
export function realParents(folder: string): (path: BytePath) => boolean {
  const known = new Map<BytePath, boolean>([['', true]])
  const isReal = (parent: BytePath): boolean => {
    if (!hasRealParents(parent)) return false
    try {
      return lstatSync(fileUnder(folder, parent)).isDirectory()
    } catch {
      return false
    }
  }
  const hasRealParents = (path: BytePath): boolean => {
    const parent = parentOf(path)
    const answer = known.get(parent) ?? isReal(parent)
    known.set(parent, answer)
    return answer
  }
  return hasRealParents
}

/** Links are followed. @throws the system's error for what is there and cannot be looked at */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** As `isFolder`. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** Empty where it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
