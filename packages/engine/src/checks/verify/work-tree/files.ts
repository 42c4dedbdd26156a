import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import { glob, lstat, open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { join, isAbsolute, normalize, relative } from 'node:path'
import type { FileEvidence } from '@donecheck/core/internal/events/verdicts'
import { failedReport, undecidedReport, showValue } from '../reports/reports.ts'
import { messageOf, UsageError } from '../../../base/index.ts'
import type { VerifierReport } from '../../../ports/checks.ts'

const maxFileBytes = 10 * 1024 * 1024

const pieceBytes = 1024 * 1024

type SeenFile =
  | { readonly kind: 'seen'; readonly evidence: FileEvidence; readonly bytes: Buffer }
  /** The verdict instead: `failed` or `error`. */
  | { readonly kind: 'not-seen'; readonly report: VerifierReport }

/** @throws the signal's reason after an abort */
export function digestFile(folder: string, path: string, signal: AbortSignal): Promise<SeenFile> {
  return see(folder, path, signal, 0)
}

/** Reads at most 10 MiB; more is `error`. @throws the signal's reason */
export async function readFile(folder: string, path: string, signal: AbortSignal): Promise<SeenFile> {
  const seen = await see(folder, path, signal, maxFileBytes)
  if (seen.kind === 'not-seen' || seen.evidence.bytes <= maxFileBytes) return seen
  const report = undecidedReport(
    `${path} has ${seen.evidence.bytes} bytes; more than ${maxFileBytes} are not read`,
  )
  return { kind: 'not-seen', report: { ...report, evidence: [seen.evidence] } }
}

async function see(folder: string, path: string, signal: AbortSignal, keepBytes: number): Promise<SeenFile> {
  const file = await openFile(folder, path)
  if (file.kind !== 'open') {
    const isKnown = file.kind === 'refused'
    return {
      kind: 'not-seen',
      report: isKnown ? failedReport(file.reason, nothingAt(path)) : undecidedReport(file.reason),
    }
  }
  try {
    const { digest, bytes, kept } = await readAll(file.handle, signal, keepBytes)
    return { kind: 'seen', evidence: { kind: 'file', path, digest, bytes }, bytes: kept }
  } catch (error) {
    signal.throwIfAborted()
    const problem = messageOf(error)
    return { kind: 'not-seen', report: undecidedReport(`${path} cannot be read: ${problem}`) }
  } finally {
    await file.handle.close()
  }
}

export function nothingAt(path: string): FileEvidence {
  return { kind: 'file', path, digest: null, bytes: 0 }
}

async function readAll(handle: FileHandle, signal: AbortSignal, keepBytes: number) {
  const hash = createHash('sha256')
  const kept: Buffer[] = []
  let bytes = 0
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, bytes)
    if (bytesRead === 0) return { digest: hash.digest('hex'), bytes, kept: Buffer.concat(kept) }
    const piece = buffer.subarray(0, bytesRead)
    hash.update(piece)
    if (bytes < keepBytes) kept.push(piece)
    bytes += bytesRead
  }
}

/** `refused`: the work is wrong. `unreadable`: nothing is known. */
type OpenedFile =
  | { readonly kind: 'open'; readonly handle: FileHandle }
  | { readonly kind: 'refused' | 'unreadable'; readonly reason: string }

/** Avoids blocking on a pipe and following a symlink placed there meanwhile. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** Opens a regular file; symlinks stay in the work folder. Never rejects; the caller closes the handle. */
async function openFile(folder: string, path: string): Promise<OpenedFile> {
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

/** Rechecks the path after opening, because symlinks may change. */
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

/** Normalizes a path. @throws {UsageError} if empty, absolute or outside the work folder */
export function relativePath(path: string): string {
  const given: unknown = path
  if (typeof given !== 'string' || given.trim() === '' || given.includes('\0')) throw pathError(given)
  const normal = normalize(given).replace(/\/+$/, '')
  if (isAbsolute(given) || normal === '.' || normal === '..' || normal.startsWith('../'))
    throw pathError(given)
  return normal
}

function pathError(path: unknown): UsageError {
  return new UsageError(
    `the path ${showValue(path)} is no file of the work folder; give a path relative to the folder, without ".." out of it`,
  )
}

type Matching =
  | { readonly kind: 'listed'; readonly paths: readonly string[] }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** Above it a glob is too wide. */
const maxMatches = 200_000

/** Lists matches of a glob, sorted; `.git` and `node_modules` only if named. @throws the signal's reason */
export async function listMatching(folder: string, pattern: string, signal: AbortSignal): Promise<Matching> {
  const skipped = ['.git', 'node_modules'].filter((name) => !pattern.split('/').includes(name))
  const exclude = ({ name }: Dirent) => skipped.includes(name)
  const literal = await lstat(join(folder, pattern)).catch(() => undefined)
  const paths = new Set(literal === undefined || literal.isDirectory() ? [] : [pattern])
  for await (const entry of glob(pattern, { cwd: folder, withFileTypes: true, exclude })) {
    signal.throwIfAborted()
    if (!entry.isDirectory()) paths.add(relative(folder, join(entry.parentPath, entry.name)))
    if (paths.size > maxMatches)
      return { kind: 'unreadable', reason: `there are more than ${maxMatches} files of ${pattern}` }
  }
  return { kind: 'listed', paths: [...paths].sort() }
}
