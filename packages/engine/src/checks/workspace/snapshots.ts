import { hash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  errorCodeOf,
  type BytePath,
  type TreeEntry,
  assertGit,
  openTrees,
  SnapshotError,
  writeWhole,
  type TreeFile,
  type Trees,
} from '../../system/trees/index.ts'
import { z } from 'zod'
import { jsonOf } from '../../base/index.ts'

export { SnapshotError }

export type Snapshots = ReturnType<typeof openSnapshots>

const dayMs = 24 * 60 * 60 * 1_000
/** Baseline and session trees are deleted after this time. */
export const keptForMs = 90 * dayMs

/** Baselines of a work folder. Manifests stay in memory, because their files may be tampered with. */
export function openSnapshots(folder: string) {
  const trees = openTrees(folder)
  const saved = new Map<string, Manifest>()
  const notes = new Map<string, string | undefined>()
  const runFolder = (runId: string | null) => (runId === null ? folder : folderOfRun(folder, runId))
  const write = (runId: string | null, name: string, text: string): void => {
    makePrivateFolder(folder)
    makePrivateFolder(runFolder(runId))
    writeWhole(join(runFolder(runId), name), text)
  }
  const remember = async (baseline: StoredBaseline, signal: AbortSignal): Promise<Manifest> => {
    const files = await trees.list(baseline.tree, signal)
    const manifest = { ...baseline, entries: [...files].map(manifestEntry) }
    saved.set(baseline.runId, manifest)
    return manifest
  }
  return {
    trees,
    objects: {
      get: (digest: string) => trees.read(digest),
      prefetch: (digests: Iterable<string>) => trees.prefetch(digests),
    },
    /** Stores a run's baseline and forgets old runs. @throws {SnapshotError} if damaged */
    async save(baseline: StoredBaseline, signal: AbortSignal): Promise<Manifest> {
      const { runId, tree } = baseline
      trees.keep(nameOfRun(runId), tree)
      forgetRuns(join(folder, 'runs'))
      await collectTrees(trees, signal)
      write(runId, 'manifest', JSON.stringify(baseline))
      return remember(baseline, signal)
    },
    /** @throws {GitNeededError} if git is missing @throws {SnapshotError} if missing or damaged */
    async load(runId: string, signal: AbortSignal): Promise<Manifest> {
      const known = saved.get(runId)
      if (known !== undefined) return known
      return remember(readBaseline(folder, runId), signal)
    },
    /** Reads a small file of a run, or of the work folder (null). @returns undefined if never written */
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

/** @throws {SnapshotError} if missing, damaged or of another run */
function readBaseline(folder: string, runId: string): StoredBaseline {
  const text = readIfThere(join(folderOfRun(folder, runId), 'manifest'))
  if (text === undefined) {
    assertGit()
    throw new SnapshotError(
      `there is no record of the baseline tree of this run in ${folder}: was it started on another machine? Start a new run`,
    )
  }
  const parsed = baselineShape.safeParse(jsonOf(text))
  if (!parsed.success) throw new SnapshotError('the record of the baseline tree is damaged')
  if (parsed.data.runId !== runId)
    throw new SnapshotError(`the record of the baseline tree belongs to run ${parsed.data.runId}`)
  return parsed.data
}

export function folderOfRun(folder: string, runId: string): string {
  return join(folder, 'runs', nameOfRun(runId))
}

/** Run ids may be any text. */
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

/** A damaged one stops packing; its reader reports it. */
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

export interface ObjectStore {
  /** @throws {SnapshotError} if missing or damaged */
  get(digest: string): Buffer
  /** Reads many at once: each read costs a process. */
  prefetch(digests: Iterable<string>): void
}

/** Sets the mode regardless of the umask. */
function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}

const marks = z.record(z.string(), z.string())
const baselineShape = z.strictObject({
  runId: z.string(),
  workFolder: z.string(),
  takenAtMs: z.number(),
  /** Commit of the tree; null for a work tree. */
  commit: z.string().nullable(),
  tree: z.string(),
  /** Stamps of things outside the tree, by name. */
  watched: z.strictObject({
    /** Check scripts, relative if in the work folder; links followed. */
    scripts: marks,
  }),
})
type StoredBaseline = z.output<typeof baselineShape>

export interface ManifestEntry extends Pick<TreeEntry, 'path' | 'digest' | 'mode'> {
  readonly kind: 'file' | 'executable' | 'symlink'
  /** False for a large file with only a digest. */
  readonly isKept: boolean
}

export interface Manifest extends StoredBaseline {
  readonly entries: readonly ManifestEntry[]
}
export type Marks = Readonly<Record<string, string>>

function manifestEntry([path, { kind, mode, object, isLarge }]: readonly [
  BytePath,
  TreeFile,
]): ManifestEntry {
  const ofFile = (mode & 0o111) === 0 ? 'file' : 'executable'
  return {
    ...{ path, kind: kind === 'symlink' ? kind : ofFile, digest: object, mode },
    isKept: isLarge !== true,
  }
}
