import {
  textOf,
  type BytePath,
  type TreeEntry,
  type TreeEntries,
  readWholeTree,
  readEntryBytes,
  maxTextBytes,
  textIn,
  readContent,
  type ContentDigests,
} from '../../../system/trees/index.ts'
import {
  independentText,
  placeChanges,
  type Placement,
  type ReadableTree,
  type RunEvidence,
} from '../../../analysis/sides/index.ts'
import type { ProtectOptions } from '../../../analysis/protect/index.ts'
import {
  type Manifest,
  type ObjectStore,
  openSnapshots,
  type ManifestEntry,
  SnapshotError,
} from '../snapshots.ts'
import { type OpenChange, keyOf, type AuthorityContext, readMemory } from './authority.ts'
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TamperGuardOptions } from './options.ts'
import type { FileChange, FileVersion } from '../../../analysis/tamper/index.ts'

/** A changed file with at least one check part. */
export interface CheckSideChange extends OpenChange {
  readonly change: TreeChange
  readonly placement: Placement
  /** Merged content for the restored tree; undefined for the baseline's file, or none. */
  readonly text: string | undefined
}

export interface SidedChanges {
  readonly checkSide: readonly CheckSideChange[]
  /** Counted as product unless an experiment shows otherwise: see `Trial`. */
  readonly unsure: readonly CheckSideChange[]
  readonly product: readonly TreeChange[]
  readonly placements: ReadonlyMap<string, Placement>
}

export interface Trees {
  readonly workFolder: string
  readonly baseline: ReadableTree
  readonly delivered: ReadableTree
}

/** A mixed file with unchanged check parts counts as product. Check lines may contain absolute paths. */
export function splitBySide(
  changes: readonly TreeChange[],
  { workFolder, ...trees }: Trees,
  { checkCommands, protect }: Pick<ProtectOptions, 'checkCommands' | 'protect'>,
  evidence: RunEvidence = noEvidence,
): SidedChanges {
  const changed = changes.map(({ path }) => path)
  const checkLines = checkCommands.map((line) => line.replaceAll(`${workFolder}/`, ''))
  const placements = placeChanges({ ...trees, changed, checkLines, protect, evidence })
  const checkSide = changes.flatMap((change) => {
    const placement = placements.get(change.path)
    return placement === undefined ? [] : checkSideOf(change, placement, trees.baseline)
  })
  const taken = new Set(checkSide.filter(({ text }) => text === undefined).map(({ path }) => path))
  const product = changes.filter(({ path }) => !taken.has(path))
  return { checkSide, unsure: product.flatMap((change) => unsureOf(change, placements)), product, placements }
}

const noEvidence: RunEvidence = { testFiles: [] }

function unsureOf(
  change: TreeChange,
  placements: ReadonlyMap<string, Placement>,
): readonly CheckSideChange[] {
  const { path, before, after, earlier } = change
  const placement = placements.get(path)
  // Nothing to compare with if the earlier content is not stored.
  if (placement?.trial === undefined || after === null || (before !== null && earlier?.isKept !== true))
    return []
  return [{ path, key: changeKey(change), change, placement, text: undefined }]
}

function checkSideOf(
  change: TreeChange,
  placement: Placement,
  baseline: ReadableTree,
): readonly CheckSideChange[] {
  const { path, before, after } = change
  if (placement.side === 'product' || isMadeExecutable(change)) return []
  const isSplit = placement.side === 'both' && before?.kind !== 'symlink' && after?.kind !== 'symlink'
  const { movedFrom } = placement
  const earlier = movedFrom === undefined ? (before?.text ?? null) : baseline.text(movedFrom)
  const text = isSplit ? independentText(path, earlier, after?.text ?? null) : undefined
  if (text !== undefined && text === after?.text) return []
  return [{ path, key: changeKey(change), change, placement, text }]
}

function changeKey({ path, after }: TreeChange): string {
  const mode = String((after?.mode ?? 0) & 0o111)
  return keyOf('file', path, after?.kind ?? 'none', after?.digest ?? '', mode)
}

/** Same content, newly executable. */
function isMadeExecutable({ before, after }: TreeChange): boolean {
  if (before?.kind !== 'file' || after?.kind !== 'file' || before.digest !== after.digest) return false
  return (before.mode & after.mode & 0o111) === (before.mode & 0o111)
}

/** Baseline and working trees that read texts lazily. */
export function readableTrees(
  manifest: Manifest,
  tree: TreeEntries,
  workFolder: string,
  objects: ObjectStore,
): Trees {
  const before = new Map(manifest.entries.map((entry) => [textOf(entry.path), entry]))
  return {
    workFolder,
    baseline: readable(before, (entry) => {
      if (digestOfText(entry).length === 0) return null
      const is = tree.get(entry.path)
      const isUnchanged = is?.kind === entry.kind && is.digest === entry.digest
      return textIn(isUnchanged ? readContent(workFolder, entry) : objects.get(entry.digest))
    }),
    delivered: readableTree(tree, workFolder),
  }
}

export function readableTree(tree: TreeEntries, workFolder: string): ReadableTree {
  const entries = new Map([...tree.values()].map((entry) => [textOf(entry.path), entry]))
  return readable(entries, (entry) =>
    entry.sizeBytes > maxTextBytes || entry.kind === 'other'
      ? null
      : textIn(readEntryBytes(workFolder, entry)),
  )
}

function readable<Entry>(
  entries: ReadonlyMap<string, Entry>,
  read: (entry: Entry) => string | null,
): ReadableTree {
  const texts = new Map<string, string | null>()
  return {
    has: (path) => entries.has(path),
    paths: () => entries.keys(),
    text(path) {
      const entry = entries.get(path)
      if (entry === undefined) return null
      const known = texts.get(path)
      if (known !== undefined) return known
      const text = read(entry)
      texts.set(path, text)
      return text
    },
  }
}

export type TreesSource = Pick<
  TamperGuardOptions,
  'workFolder' | 'snapshotFolder' | 'snapshotRunId' | 'protect' | 'mayChange' | 'checkCommands' | 'waivers'
>

/** Changes so far, by side. @throws {SnapshotError} for an unknown baseline or unreadable file */
export async function sidesOfRun(
  source: TreesSource,
  runId: string,
  digests: ContentDigests,
  signal: AbortSignal,
) {
  const { protect = [], mayChange = [], checkCommands = [], waivers = [], snapshotRunId } = source
  const workFolder = realpathSync(resolve(source.workFolder))
  // Reopened each time, because the guard may have saved another tree.
  const snapshots = openSnapshots(resolve(source.snapshotFolder))
  const manifest = await snapshots.load(snapshotRunId ?? runId, signal)
  const scripts = Object.keys(manifest.watched.scripts)
  const { tree } = await readWholeTree(workFolder, scripts, digests, signal)
  const changes = changesSince(manifest, tree, workFolder, snapshots.objects)
  const options: ProtectOptions = { protect, mayChange, checkCommands }
  const memory = readMemory(snapshots, runId)
  const trees = readableTrees(manifest, tree, workFolder, snapshots.objects)
  const sides = splitBySide(changes, trees, options, memory)
  const context: AuthorityContext = { options: { waivers }, protect: options, memory, nowMs: Date.now() }
  return { manifest, snapshots, changes, sides, context }
}

export interface TreeChange extends FileChange {
  readonly bytePath: BytePath
  /** @returns undefined if it did not exist */
  readonly earlier: ManifestEntry | undefined
}

/** Differences by path; of the mode only the executable bit counts. @throws {SnapshotError} */
export function changesSince(
  manifest: Manifest,
  tree: TreeEntries,
  folder: string,
  objects: ObjectStore,
): readonly TreeChange[] {
  const earlier = new Map(manifest.entries.map((entry) => [entry.path, entry]))
  const paths = [...new Set([...earlier.keys(), ...tree.keys()])].sort().filter((path) => {
    const [was, is] = [earlier.get(path), tree.get(path)]
    if (is?.kind === 'unreadable') throw new SnapshotError(`${textOf(path)} cannot be read (${is.digest})`)
    return was?.kind !== is?.kind || was?.digest !== is?.digest
  })
  objects.prefetch(paths.flatMap((path) => digestOfText(earlier.get(path))))
  return paths.flatMap((path) => {
    const [was, is] = [earlier.get(path), tree.get(path)]
    const change: TreeChange = {
      path: textOf(path),
      bytePath: path,
      before: was === undefined ? null : earlierVersion(was, objects),
      after: is === undefined ? null : laterVersion(is, folder),
      earlier: was,
    }
    return change.before === null && change.after === null ? [] : [change]
  })
}

function digestOfText(entry: ManifestEntry | undefined): readonly string[] {
  return entry?.isKept === true ? [entry.digest] : []
}

function earlierVersion(entry: ManifestEntry, objects: ObjectStore): FileVersion {
  return version(entry, digestOfText(entry).length > 0 ? textIn(objects.get(entry.digest)) : null)
}

/** A pipe or socket counts as a deleted file. */
function laterVersion(entry: TreeEntry, folder: string): FileVersion | null {
  if (entry.kind === 'other') return null
  const isShort = entry.sizeBytes <= maxTextBytes
  return version(entry, isShort ? textIn(readContent(folder, entry)) : null)
}

function version(entry: TreeEntry | ManifestEntry, text: string | null): FileVersion {
  const kind = entry.kind === 'symlink' ? 'symlink' : 'file'
  return { kind, digest: entry.digest, mode: entry.mode & 0o777, text }
}
