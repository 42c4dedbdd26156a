import { hash, randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, dirname, basename } from 'node:path'
import { errorCodeOf, textOf, type TreeEntry } from './tree/tree-entry.ts'
import { z } from 'zod'
import { assertGit, maxStoredBytes, openTrees, SnapshotError, type Trees } from '../../trees/index.ts'
import { storeTree } from './tree/store-tree.ts'

export { SnapshotError }
import type { TreeEntries } from './tree/read-tree.ts'

export type Snapshots = ReturnType<typeof openSnapshots>

const dayMs = 24 * 60 * 60 * 1_000
/** Baseline trees and the trees of sessions are removed after that. */
export const keptForMs = 90 * dayMs

/**
 * The baseline trees of all runs of one work folder, in a folder outside of it. Manifests and notes are remembered too: what others
 * write to their files meanwhile is not believed.
 */
export function openSnapshots(folder: string) {
  const trees = openTrees(folder)
  const saved = new Map<string, Manifest>()
  const notes = new Map<string, string | undefined>()
  const runFolder = (runId: string | null) => (runId === null ? folder : folderOfRun(folder, runId))
  const write = (runId: string | null, name: string, text: string): void => {
    makePrivateFolder(folder)
    makePrivateFolder(runFolder(runId))
    writePrivateFile(join(runFolder(runId), name), text)
  }
  return {
    trees,
    objects: {
      get: (digest: string) => trees.read(digest),
      prefetch: (digests: Iterable<string>) => trees.prefetch(digests),
    },
    /** See {@link keepFiles}. */
    keep: (runId: string, from: string, entries: TreeEntries, signal: AbortSignal) =>
      keepFiles({ trees, runsFolder: join(folder, 'runs'), runId, from, entries, signal }),
    save(manifest: Manifest): void {
      write(manifest.runId, 'manifest', writeManifest(manifest))
      saved.set(manifest.runId, manifest)
    },
    /** @throws {GitNeededError} where it has none because of that @throws {SnapshotError} where the run has none here, or it is damaged or was replaced since it was saved */
    load(runId: string): Manifest {
      const known = saved.get(runId)
      if (known !== undefined) return known
      const text = readIfThere(join(runFolder(runId), 'manifest'))
      if (text === undefined) {
        assertGit()
        throw new SnapshotError(
          `there is no record of the baseline tree of this run in ${folder}: was it started on another machine? Start a new run`,
        )
      }
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

interface KeepRequest {
  readonly trees: Trees
  readonly runsFolder: string
  readonly runId: string
  readonly from: string
  readonly entries: TreeEntries
  readonly signal: AbortSignal
}

/**
 * Stores the files of a folder as they were listed, for that run. Runs of long ago are forgotten.
 * @throws {SnapshotError} for a file that cannot be read, and one that changes meanwhile
 * @throws {GitNeededError} without git of our age
 */
async function keepFiles(request: KeepRequest): Promise<readonly ManifestEntry[]> {
  const { trees, runsFolder, runId, from, entries, signal } = request
  trees.keep(nameOfRun(runId), await storeTree(trees, from, entries, signal))
  forgetRuns(runsFolder)
  await collectTrees(trees, signal)
  return [...entries.values()].map(manifestEntry)
}

/** Where the manifest and the notes of a run lie. */
export function folderOfRun(folder: string, runId: string): string {
  return join(folder, 'runs', nameOfRun(runId))
}

/** A run's id may be any text. */
function nameOfRun(runId: string): string {
  return /^[\w-]{1,100}$/.test(runId) ? runId : hash('sha256', runId)
}

function forgetRuns(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const run = join(folder, name)
    const stats = statSync(join(run, 'manifest'), { throwIfNoEntry: false })
    if (stats !== undefined && stats.mtimeMs < Date.now() - keptForMs)
      rmSync(run, { recursive: true, force: true })
  }
}

/** One that is damaged keeps all others from being packed; who needs it is told when it is read. */
export async function collectTrees(trees: Trees, signal: AbortSignal): Promise<void> {
  await trees.collect({ keptForMs, signal }).catch(() => signal.throwIfAborted())
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined
    throw new SnapshotError(`${file} cannot be read (${errorCodeOf(error)})`)
  }
}

/** Contents of baseline trees, read at once. */
export interface ObjectStore {
  /** @throws {SnapshotError} where it is missing or is not what it was */
  get(digest: string): Buffer
  /** Reads many together: each alone costs a process. */
  prefetch(digests: Iterable<string>): void
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
  /** False: it is large, and the digest alone is known. */
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
    /** Scripts of the checks, relative to the work folder where they are in it; a link is followed. */
    scripts: marks,
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

/** @throws {SnapshotError} for one that cannot be read */
export function manifestEntry(entry: TreeEntry): ManifestEntry {
  const { path, kind, digest, mode, sizeBytes } = entry
  if (kind === 'unreadable') throw new SnapshotError(`${textOf(path)} cannot be read (${digest})`)
  return { path, kind, digest, mode, sizeBytes, isKept: kind !== 'other' && sizeBytes <= maxStoredBytes }
}
