import {
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  fileUnder,
  parentOf,
  textOf,
  type BytePath,
  errorCodeOf,
  type TreeEntry,
} from '../tree/tree-entry.ts'
import { fileReader } from '../fingerprint/content-digests.ts'
import type { ManifestEntry } from '../snapshot/manifest.ts'
import { SnapshotError } from '../snapshot/snapshot-error.ts'

type Entry = TreeEntry | ManifestEntry

interface WriteRequest {
  /** The real path of the work folder. */
  readonly original: string
  readonly folder: string
  readonly entries: readonly Entry[]
  readonly overlay: ReadonlyMap<BytePath, OverlayFile | null>
  readonly signal: AbortSignal
}

const filesAtOnce = 64

/** @throws {SnapshotError} where a file cannot be read or is not what was listed */
export async function writeFiles(request: WriteRequest): Promise<void> {
  const { folder, entries, overlay, signal } = request
  const made = new Set<BytePath>()
  makeFolder(folder, '', made)
  let written = 0
  for (const entry of withoutCovered(entries, overlay)) {
    if (written++ % filesAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    makeFolder(folder, parentOf(entry.path), made)
    await writeEntry(entry, request)
  }
  for (const [path, file] of overlay) {
    if (file === null) continue
    makeFolder(folder, parentOf(path), made)
    if (file.kind === 'symlink') link(Buffer.from(file.content), path, request)
    else writeUnder(folder, path, file.content, file.mode)
  }
}

/** What lies below a file of the overlay, or where one of its folders must be, gives way: nothing is written through a link. */
function withoutCovered(entries: readonly Entry[], overlay: WriteRequest['overlay']): readonly Entry[] {
  const laid = new Set([...overlay].filter(([, file]) => file !== null).map(([path]) => path))
  const parents = new Set([...laid].flatMap(foldersAbove))
  const isCovered = ({ path }: Entry) =>
    overlay.has(path) || parents.has(path) || foldersAbove(path).some((parent) => laid.has(parent))
  return entries.filter((entry) => !isCovered(entry))
}

function foldersAbove(path: BytePath): readonly BytePath[] {
  const parent = parentOf(path)
  return parent === '' ? [] : [parent, ...foldersAbove(parent)]
}

function makeFolder(folder: string, path: BytePath, made: Set<BytePath>): void {
  if (made.has(path)) return
  mkdirSync(fileUnder(folder, path), { recursive: true })
  made.add(path)
}

async function writeEntry(entry: Entry, request: WriteRequest): Promise<void> {
  const { original, folder, signal } = request
  const { path, kind, mode, digest } = entry
  if (kind === 'other') return
  if (kind === 'unreadable')
    throw new SnapshotError(`${textOf(path)} cannot be read (${digest}), so it cannot be copied`)
  const [from, to] = [fileUnder(original, path), fileUnder(folder, path)]
  try {
    if (kind === 'symlink') {
      link(readlinkSync(from, 'buffer'), path, request)
      return
    }
    copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    chmodSync(to, mode & 0o777)
  } catch (error) {
    throw new SnapshotError(`${textOf(path)} cannot be copied (${errorCodeOf(error)})`)
  }
  // The copy is looked at and not the original, which somebody may still write to.
  if ((await fileReader.digest(to, signal)) !== digest)
    throw new SnapshotError(`${textOf(path)} was changed while it was copied`)
}

function writeUnder(folder: string, path: BytePath, content: Uint8Array, mode: number): void {
  const file = fileUnder(folder, path)
  writeFileSync(file, content, { flag: 'wx' })
  chmodSync(file, mode & 0o777)
}

/** The same for a link that is in the copy already. */
export function leadToCopy(path: BytePath, original: string, folder: string): void {
  const file = fileUnder(folder, path)
  const target = readlinkSync(file, 'buffer')
  rmSync(file)
  link(target, path, { original, folder })
}

/** A link that names the work folder would lead the checks back to it. */
function link(
  target: Buffer,
  path: BytePath,
  { original, folder }: Pick<WriteRequest, 'original' | 'folder'>,
): void {
  const text = target.toString()
  const way = relative(original, text)
  const isWithin = isAbsolute(text) && way !== '..' && !way.startsWith('../')
  symlinkSync(isWithin ? join(folder, way) : target, fileUnder(folder, path))
}

/** What lies over the files of the work tree. */
export interface OverlayFile {
  readonly kind: 'file' | 'symlink'
  readonly content: Uint8Array
  /** Permission bits. */
  readonly mode: number
}
