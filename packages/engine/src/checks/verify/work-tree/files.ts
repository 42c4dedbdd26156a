import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import { glob, lstat, open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { join, isAbsolute, normalize, relative } from 'node:path'
import type { FileEvidence } from '@donecheck/core/internal/events/verdicts'
import { failedReport, undecidedResult, showValue, type Found } from '../reports/reports.ts'
import { codeOf, messageOf, UsageError } from '../../../base/index.ts'
import type { VerifierResult } from '../../../ports/checks.ts'

const maxFileBytes = 10 * 1024 * 1024

const pieceBytes = 1024 * 1024

/** @throws the signal's reason after an abort */
export function digestFile(folder: string, path: string, signal: AbortSignal): Promise<FoundFile> {
  return look(folder, path, signal, 0)
}

/** Reads at most 10 MiB; more is `error`. @throws the signal's reason */
export async function readFile(folder: string, path: string, signal: AbortSignal): Promise<FoundFile> {
  const found = await look(folder, path, signal, maxFileBytes)
  if (found.kind === 'not-read' || found.file.bytes <= maxFileBytes) return found
  const report = undecidedResult(
    `${path} has ${found.file.bytes} bytes; more than ${maxFileBytes} are not read`,
  )
  return { kind: 'not-read', report: { ...report, evidence: found.evidence } }
}

type FoundFile =
  | (Extract<Found<Buffer>, { kind: 'read' }> & { readonly file: FileEvidence })
  | Extract<Found<Buffer>, { kind: 'not-read' }>

async function look(
  folder: string,
  path: string,
  signal: AbortSignal,
  keepBytes: number,
): Promise<FoundFile> {
  try {
    const handle = await openFile(folder, path)
    try {
      const { value, ...seen } = await readAll(handle, signal, keepBytes)
      const file: FileEvidence = { kind: 'file', path, ...seen }
      return { kind: 'read', value, file, evidence: [file] }
    } finally {
      await handle.close()
    }
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'not-read', report: reportOf(error, path) }
  }
}

/** What is wrong with the work fails; of anything else nothing is known. */
function reportOf(error: unknown, path: string): VerifierResult {
  const code = codeOf(error)
  if (error instanceof WrongFile) return failedReport(error.message, nothingAt(path))
  if (code === 'ENOENT' || code === 'ENOTDIR') return failedReport(`there is no ${path}`, nothingAt(path))
  if (code === 'ELOOP') return failedReport(`${path} is a symlink that leads nowhere`, nothingAt(path))
  return undecidedResult(`${path} cannot be read: ${code ?? messageOf(error)}`)
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
    if (bytesRead === 0) return { digest: hash.digest('hex'), bytes, value: Buffer.concat(kept) }
    const piece = buffer.subarray(0, bytesRead)
    hash.update(piece)
    if (bytes < keepBytes) kept.push(piece)
    bytes += bytesRead
  }
}

class WrongFile extends Error {}

/** Avoids blocking on a pipe and following a symlink placed there meanwhile. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** Opens a regular file; symlinks stay in the work folder. The caller closes the handle. */
async function openFile(folder: string, path: string): Promise<FileHandle> {
  const root = await realpath(folder)
  const real = await realpath(join(root, path))
  if (!real.startsWith(root === '/' ? root : `${root}/`))
    throw new WrongFile(`${path} leads out of the work folder, to ${real}`)
  const found = await lstat(real)
  if (found.isDirectory()) throw new WrongFile(`${path} is a folder, not a file`)
  if (!found.isFile()) throw new WrongFile(`${path} is no regular file`)
  const handle = await open(real, flags)
  try {
    await assertStable(handle, join(root, path), real)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Symlinks may have changed while the file was opened. */
async function assertStable(handle: FileHandle, given: string, real: string): Promise<void> {
  const [seen, now, again] = await Promise.all([handle.stat(), stat(real), realpath(given)])
  if (again !== real || !seen.isFile() || seen.ino !== now.ino || seen.dev !== now.dev)
    throw new Error('it was replaced while it was looked at')
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
