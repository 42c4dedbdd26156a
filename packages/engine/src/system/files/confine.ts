import { Buffer } from 'node:buffer'
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { decodeTextFile, textWithMark } from '../../analysis/patch/index.ts'
import { codeOf } from '../../base/index.ts'

export interface ConfinedPath {
  readonly kind: 'inside'
  /** Free of symlinks when computed. */
  readonly absolute: string
  /** Relative to the work folder, for people; `.` is the folder. */
  readonly relative: string
}

export type Confined = ConfinedPath | { readonly kind: 'outside'; readonly reason: string }

/** Resolves a model's path inside the work folder, following symlinks. Check again before use. */
export async function confine(workFolder: string, path: string): Promise<Confined> {
  if (path.includes('\0')) return outside(`the path ${JSON.stringify(path)} has a NUL character in it`)
  const folder = await resolveLinks(workFolder)
  if (folder.kind === 'failed') return outside(`the work folder cannot be entered: ${folder.problem}`)
  const target = await resolveLinks(path, folder.path)
  if (target.kind === 'failed')
    return outside(`the path ${JSON.stringify(path)} cannot be followed: ${target.problem}`)
  const isInside = target.path === folder.path || target.path.startsWith(withSlash(folder.path))
  if (isInside)
    return { kind: 'inside', absolute: target.path, relative: relative(folder.path, target.path) || '.' }
  const leads = target.path === path ? '' : `, it leads to ${target.path}`
  return outside(`the path ${JSON.stringify(path)} is outside of the work folder ${folder.path}${leads}`)
}

/** Resolves the path again just before use. @returns the problem if a symlink has appeared on it */
export async function hasMoved(
  workFolder: string,
  path: string,
  before: ConfinedPath,
): Promise<string | undefined> {
  const now = await confine(workFolder, path)
  if (now.kind === 'outside') return now.reason
  if (now.absolute === before.absolute) return undefined
  return `the path ${JSON.stringify(path)} led to ${before.absolute} before, and leads to ${now.absolute} now`
}

function outside(reason: string): Confined {
  return { kind: 'outside', reason }
}

function withSlash(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`
}

type ResolvedLinks =
  { readonly kind: 'resolved'; readonly path: string } | { readonly kind: 'failed'; readonly problem: string }

/** Same limit as the system. */
const maxLinks = 40

/**
 * Follows all symlinks, the last included; missing parts stay, so unlike `realpath` it resolves dangling
 * links. `..` applies after links.
 * @param from resolved base of a relative path
 */
export async function resolveLinks(path: string, from = '/'): Promise<ResolvedLinks> {
  const waiting = partsOf(path)
  let real = path.startsWith('/') ? '/' : from
  let links = 0
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const next = part === '..' ? dirname(real) : join(real, part)
    const target = readLink(next)
    if (typeof target === 'object') return { kind: 'failed', problem: `${next}: ${target.problem}` }
    if (target === undefined) real = next
    else if (++links > maxLinks) return { kind: 'failed', problem: `${next}: too many symlinks` }
    else {
      if (target.startsWith('/')) real = '/'
      waiting.push(...partsOf(target))
    }
  }
  return { kind: 'resolved', path: real }
}

function partsOf(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .reverse()
}

/** @returns undefined if not a symlink. Synchronous: transactions call it hundreds of times */
function readLink(path: string): string | undefined | { readonly problem: string } {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    if (code === 'ENOENT') return undefined
    return { problem: code === 'ENOTDIR' ? 'what is above it is not a folder' : code }
  }
}

/** Larger files are not changed. */
export const maxFileBytes = 8 * 1024 * 1024

export type FileBytes =
  | {
      readonly kind: 'file'
      readonly bytes: Buffer
      readonly mode: number
    }
  | { readonly kind: 'missing' }
  /** A folder, pipe or symlink, too large or forbidden: the problem continues the file's name. */
  | { readonly kind: 'unreadable'; readonly problem: string }

/** Reads a regular file, no symlink or pipe. Synchronous, because that is faster. */
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

/** Null if missing, undefined if unreadable or not text. */
export async function readTextFile(absolute: string): Promise<string | null | undefined> {
  const read = await readBytes(absolute, maxFileBytes)
  if (read.kind === 'missing') return null
  return read.kind === 'file' ? textOfBytes(read.bytes) : undefined
}

/** @returns undefined if not text */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  const decoded = decodeTextFile(bytes)
  return decoded.kind === 'text' ? textWithMark(decoded) : undefined
}

/** @returns undefined if there is more. The reported size may be outdated */
function readUpTo(descriptor: number, maxBytes: number, size: number): Buffer | undefined {
  const pieces: Buffer[] = []
  // Most files are small, and many large buffers would cost garbage collection.
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
