import { hash, randomUUID } from 'node:crypto'
import {
  readFileSync,
  statSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
} from 'node:fs'
import { join, dirname, basename } from 'node:path'
import { errorCodeOf, textOf, type TreeEntry, fileUnder } from './tree/tree-entry.ts'
import { z } from 'zod'
import { hashBlob, SnapshotError } from '../../trees/index.ts'

export { SnapshotError }
import { setImmediate } from 'node:timers/promises'
import type { TreeEntries } from './tree/read-tree.ts'
import { isUtf8 } from 'node:buffer'

export type Snapshots = ReturnType<typeof openSnapshots>

/**
 * The baseline trees of all runs of one work folder, in a folder outside of it. Manifests and notes are remembered too: what others
 * write to their files meanwhile is not believed.
 */
export function openSnapshots(folder: string) {
  const saved = new Map<string, Manifest>()
  const notes = new Map<string, string | undefined>()
  const runFolder = (runId: string | null) => (runId === null ? folder : folderOfRun(folder, runId))
  const write = (runId: string | null, name: string, text: string): void => {
    makePrivateFolder(folder)
    makePrivateFolder(runFolder(runId))
    writePrivateFile(join(runFolder(runId), name), text)
  }
  return {
    objects: objectStore(join(folder, 'objects')),
    save(manifest: Manifest): void {
      write(manifest.runId, 'manifest', writeManifest(manifest))
      saved.set(manifest.runId, manifest)
    },
    /** @throws {SnapshotError} where the run has none here, or it is damaged or was replaced since it was saved */
    load(runId: string): Manifest {
      const known = saved.get(runId)
      if (known !== undefined) return known
      const text = readIfThere(join(runFolder(runId), 'manifest'))
      if (text === undefined)
        throw new SnapshotError(
          `there is no record of the baseline tree of this run in ${folder}: was it started on another machine? Start a new run`,
        )
      const manifest = readManifest(text)
      if (manifest.runId !== runId)
        throw new SnapshotError(`the record of the baseline tree belongs to run ${manifest.runId}`)
      saved.set(runId, manifest)
      return manifest
    },
    /** A small file beside the manifest of a run, or of no run but the work folder. Undefined: it was never written. */
    readNote(runId: string | null, name: string): string | undefined {
      const file = join(runFolder(runId), name)
      if (!notes.has(file)) notes.set(file, readIfThere(file))
      return notes.get(file)
    },
    writeNote(runId: string | null, name: string, text: string): void {
      write(runId, name, text)
      notes.set(join(runFolder(runId), name), text)
    },
  }
}

/** Where the manifest and the notes of a run lie. */
export function folderOfRun(folder: string, runId: string): string {
  // A run's id may be any text.
  return join(folder, 'runs', /^[\w-]{1,100}$/.test(runId) ? runId : hash('sha256', runId))
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined
    throw new SnapshotError(`${file} cannot be read (${errorCodeOf(error)})`)
  }
}

export type ObjectStore = ReturnType<typeof objectStore>

/** Contents under their digests, each once for all runs. */
function objectStore(folder: string) {
  const known = new Set<string>()
  const fileOf = (digest: string) => join(folder, digest.slice(0, 2), digest.slice(2))
  return {
    /** @throws the system's error where it cannot be written */
    put(digest: string, content: Uint8Array): void {
      const file = fileOf(digest)
      if (statSync(file, { throwIfNoEntry: false })?.size === content.byteLength) return
      if (!known.has(dirname(file))) makePrivateFolder(dirname(file))
      known.add(dirname(file))
      writePrivateFile(file, content)
    },
    /** @throws {SnapshotError} where it is missing or is not what it was */
    get(digest: string): Buffer {
      const content = readStored(fileOf(digest))
      if (hashBlob(content) === digest) return content
      throw new SnapshotError(`the stored content ${digest.slice(0, 12)} of the baseline tree is damaged`)
    },
  }
}

function readStored(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new SnapshotError(`a stored content of the baseline tree cannot be read (${errorCodeOf(error)})`)
  }
}

/** For this user alone, whatever the umask says. */
function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}

/** All or nothing: a reader sees the earlier file or the new one. Readable for this user alone. */
function writePrivateFile(file: string, content: string | Uint8Array): void {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}`)
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

const digest = z.string().regex(/^[0-9a-f]{64}$/)
const entry = z.strictObject({
  /** With one character for each byte, relative to the work folder. */
  path: z.string().min(1),
  kind: z.enum(['file', 'executable', 'symlink', 'other']),
  /** Of the content or of a symlink's target; empty for `other`. */
  digest: z.union([digest, z.literal('')]),
  /** Permission bits. */
  mode: z.number().int().nonnegative(),
  sizeBytes: z.number().int().nonnegative(),
  /** False: the digest alone is known. */
  isKept: z.boolean(),
})
const marks = z.record(z.string(), z.string())
const manifest = z.strictObject({
  version: z.literal(1),
  runId: z.string(),
  workFolder: z.string(),
  takenAtMs: z.number(),
  /** The commit that it was taken from; null: the work tree as it was. */
  commit: z.string().nullable(),
  entries: z.array(entry),
  /** What stands beside the tree, by name; each value changes when the thing does. */
  watched: z.strictObject({
    /** Installed packages and programs by their content, and packages by their stamps. */
    runners: marks,
    runnerStamps: marks.default({}),
    git: marks,
    outside: marks,
    /** Scripts of the checks, relative to the work folder where they are in it; a link is followed. */
    scripts: marks.default({}),
  }),
})

export type ManifestEntry = z.output<typeof entry>
/** The baseline tree of a run: what there was, and where its content is kept. */
export type Manifest = z.output<typeof manifest>
export type Marks = Readonly<Record<string, string>>

/** The text of a manifest begins with the digest of the rest. */
export function writeManifest(value: Manifest): string {
  const json = JSON.stringify(value)
  return `${hash('sha256', json)}\n${json}\n`
}

/** @throws {SnapshotError} for a text that is not as it was written */
export function readManifest(text: string): Manifest {
  const [expected, json = ''] = text.split('\n')
  if (expected !== hash('sha256', json))
    throw new SnapshotError('the record of the baseline tree is damaged: its digest does not match')
  const parsed = manifest.safeParse(JSON.parse(json))
  if (parsed.success) return parsed.data
  throw new SnapshotError(`the record of the baseline tree cannot be read: ${z.prettifyError(parsed.error)}`)
}

/** Contents that are kept for one run. Beyond it, only digests. */
const maxSnapshotBytes = 256 * 1024 * 1024

const filesAtOnce = 64

interface KeptTree {
  readonly entries: readonly ManifestEntry[]
  /** Texts for which there was no room: they cannot be put back, nor compared line by line. */
  readonly leftOut: number
}

interface KeepOptions {
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
