/** A baseline tree is kept: the work tree as it is, or a commit. */
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { given } from '../../../base/index.ts'
import { findRepository, runGit, type Place } from '../run-git.ts'
import type { TreeEntries } from '../tree/read-tree.ts'
import { textOf, type TreeEntry } from '../tree/tree-entry.ts'
import type { ManifestEntry } from './manifest.ts'
import { maxTextBytes, readContent, textIn } from './read-content.ts'
import { SnapshotError } from './snapshot-error.ts'
import type { ObjectStore } from './snapshots.ts'

/** Contents that are kept for one run. Beyond it, only digests. */
export const maxSnapshotBytes = 256 * 1024 * 1024

const filesAtOnce = 64

export interface KeptTree {
  readonly entries: readonly ManifestEntry[]
  /** Texts for which there was no room: they cannot be put back, nor compared line by line. */
  readonly leftOut: number
}

export interface KeepOptions {
  readonly folder: string
  readonly objects: ObjectStore
  /** Kept whatever their size, and before all others. */
  readonly isProtected: (path: string) => boolean
  readonly limitBytes?: number
  readonly signal: AbortSignal
}

/**
 * Keeps the content of every protected file and of every text up to 1 MiB.
 * @throws {SnapshotError} for a file that cannot be read, and one that changes meanwhile
 * @throws {DOMException} `AbortError` after an abort
 */
export async function keepTree(tree: TreeEntries, options: KeepOptions): Promise<KeptTree> {
  const { isProtected, limitBytes = maxSnapshotBytes, signal } = options
  const ranked = [...tree.values()].map((entry) => ({ entry, isFirst: isProtected(textOf(entry.path)) }))
  ranked.sort((one, other) => Number(other.isFirst) - Number(one.isFirst))
  const entries: ManifestEntry[] = []
  let [roomBytes, leftOut] = [limitBytes, 0]
  for (const [index, { entry, isFirst }] of ranked.entries()) {
    if (index % filesAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    const fits = entry.sizeBytes <= roomBytes
    const isWanted = entry.kind !== 'other' && (isFirst || entry.sizeBytes <= maxTextBytes)
    const isKept = isWanted && fits && keep(entry, isFirst, options)
    if (isKept) roomBytes -= entry.sizeBytes
    if (isWanted && !fits) leftOut += 1
    entries.push(manifestEntry(entry, isKept))
  }
  return { entries, leftOut }
}

/** False: it is no text, and nobody asked for it. */
function keep(entry: TreeEntry, isProtected: boolean, { folder, objects }: KeepOptions): boolean {
  const content = readContent(folder, entry)
  if (!isProtected && textIn(content) === null) return false
  objects.put(entry.digest, content)
  return true
}

function manifestEntry(entry: TreeEntry, isKept: boolean): ManifestEntry {
  const { path, kind, digest, mode, sizeBytes } = entry
  if (kind === 'unreadable') throw new SnapshotError(`${textOf(path)} cannot be read (${digest})`)
  return { path, kind, digest, mode, sizeBytes, isKept }
}

/**
 * The files below the folder as a commit has them, all of them kept; and its submodules, whose content is not in this repository.
 * Contents are taken as git stores them: no filter
 * and no hook runs, so that a repository that converts line ends or keeps large files elsewhere looks changed.
 * @throws {SnapshotError} where git cannot say
 */
export async function keepRevision(
  folder: string,
  revision: string,
  objects: ObjectStore,
  signal: AbortSignal,
) {
  const place = findRepository(folder)
  if (place === undefined)
    throw new SnapshotError(`${folder} is in no git repository, so there is no revision ${revision}`)
  const words = ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`]
  const commit = (await ask(place, words, signal)).toString().trim()
  const listed = (await ask(place, ['ls-tree', '-r', '-z', commit], signal))
    .toString('latin1')
    .split('\0')
    .filter(Boolean)
    .map(parseLine)
  const blobs = listed.filter(({ type }) => type === 'blob')
  const contents = await readContents(place, blobs, signal)
  const entries = blobs.map(({ path, mode, object }): ManifestEntry => {
    const content = contents.get(object)
    if (content === undefined)
      throw new SnapshotError(`git has no content for ${textOf(path)} in ${revision}`)
    const digest = hash('sha256', content)
    objects.put(digest, content)
    return { path, ...modes(mode), digest, sizeBytes: content.length, isKept: true }
  })
  return {
    commit,
    entries,
    submodules: listed.filter(({ type }) => type === 'commit').map(({ path }) => textOf(path)),
  }
}

async function ask(
  place: Place,
  words: readonly string[],
  signal: AbortSignal,
  stdin?: string,
): Promise<Buffer> {
  const { exitCode, stdout } = await runGit(place, words, signal, given({ stdin }))
  if (exitCode === 0) return stdout
  throw new SnapshotError(
    `git ${words.slice(0, 1).join(' ')} failed for ${words.at(-1) ?? ''} in ${place.folder}; is it a revision of this repository?`,
  )
}

interface ListedBlob {
  readonly mode: string
  readonly type: string
  readonly object: string
  readonly path: string
}

/** `MODE TYPE OBJECT<tab>PATH` */
function parseLine(line: string): ListedBlob {
  const tab = line.indexOf('\t')
  const [mode = '', type = '', object = ''] = line.slice(0, tab).split(' ')
  return { mode, type, object, path: line.slice(tab + 1) }
}

function modes(mode: string): Pick<ManifestEntry, 'kind' | 'mode'> {
  if (mode === '120000') return { kind: 'symlink', mode: 0o777 }
  return mode === '100755' ? { kind: 'executable', mode: 0o755 } : { kind: 'file', mode: 0o644 }
}

/** `OBJECT blob SIZE<line end>CONTENT<line end>` for each. */
async function readContents(
  place: Place,
  blobs: readonly ListedBlob[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Buffer>> {
  const wanted = [...new Set(blobs.map(({ object }) => object))]
  const output =
    wanted.length === 0
      ? Buffer.alloc(0)
      : await ask(place, ['cat-file', '--batch'], signal, `${wanted.join('\n')}\n`)
  const contents = new Map<string, Buffer>()
  for (let at = 0; at < output.length;) {
    const lineEnd = output.indexOf('\n', at)
    const [object = '', type, size] = output.subarray(at, lineEnd).toString().split(' ')
    const sizeBytes = type === 'blob' ? Number(size) : 0
    if (type === 'blob') contents.set(object, output.subarray(lineEnd + 1, lineEnd + 1 + sizeBytes))
    at = lineEnd + 1 + (type === 'blob' ? sizeBytes + 1 : 0)
  }
  return contents
}
