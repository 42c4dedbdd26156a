import { Buffer } from 'node:buffer'
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { decodeTextFile, textWithMark } from '../../analysis/patch/index.ts'
import { codeOf } from '../../base/index.ts'

export interface ConfinedPath {
  readonly kind: 'inside'
  /** Free of symlinks, at the time of asking. */
  readonly absolute: string
  /** To the work folder, for people; `.` is the folder itself. */
  readonly relative: string
}

export type Confined = ConfinedPath | { readonly kind: 'outside'; readonly reason: string }

/**
 * Where a path of the model leads, if that is in the work folder: every symlink is followed first, those of parents
 * and of targets that do not exist yet too. The answer holds for the moment: whoever acts on it later asks again.
 */
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

/**
 * The same path once more, just before something is done with it.
 * @returns why it may not be done: a folder or file on the way was replaced by a symlink meanwhile
 */
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

/** As many as the system itself follows. */
const maxLinks = 40

/**
 * Where a path leads once every symlink in it is followed, the last one included. What does not exist (yet) stays as
 * it is: unlike `realpath`, this also says where a dangling symlink points to.
 * @param path may hold `.`, `..` and double slashes; `..` is taken after the links before it, as the system does
 * @param from where a path begins that is not absolute: a folder that was resolved already
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

/**
 * Undefined: no symlink, or nothing at all. Not in the background: a transaction asks it hundreds of times, and handing one
 * over costs ten times as much as the question itself.
 */
function readLink(path: string): string | undefined | { readonly problem: string } {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    if (code === 'ENOENT') return undefined
    return { problem: code === 'ENOTDIR' ? 'what is above it is not a folder' : code }
  }
}

/** Larger files are not changed: nobody compares them with what they were. */
export const maxFileBytes = 8 * 1024 * 1024

export type FileBytes =
  | {
      readonly kind: 'file'
      readonly bytes: Buffer
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
