/** Reports a run's changed files with side, reason and approval. */
import { resolve } from 'node:path'
import { UsageError } from '../../base/index.ts'
import type { ChangedFile, FileImage } from '../../analysis/patch/index.ts'
import { matchesAny } from '../../analysis/protect/index.ts'
import type { Placement } from '../../analysis/sides/index.ts'
import type { FileVersion } from '../../analysis/tamper/index.ts'
import { ContentDigests, fileReader, readTree } from '../../system/trees/index.ts'
import { grantFor, readMemory, remember } from './guard/authority.ts'
import { changesSince, sidesOfRun, type TreesSource } from './guard/sided-changes.ts'
import type { TreeDifference } from './kept-trees.ts'
import { openSnapshots } from './snapshots.ts'

/** @throws {SnapshotError} for an unknown baseline or unreadable file */
export async function changesSinceBaseline(
  { workFolder, snapshotFolder }: { readonly workFolder: string; readonly snapshotFolder: string },
  runId: string,
  signal: AbortSignal,
): Promise<TreeDifference> {
  const snapshots = openSnapshots(resolve(snapshotFolder))
  const manifest = await snapshots.load(runId, signal)
  const tree = await readTree(workFolder, new ContentDigests(fileReader), signal)
  const changes: ChangedFile[] = []
  const unknown: string[] = []
  for (const { path, ...versions } of changesSince(manifest, tree, workFolder, snapshots.objects)) {
    const [before, after] = [imageOf(versions.before), imageOf(versions.after)]
    if (before === undefined || after === undefined) unknown.push(path)
    else changes.push({ path, before, after })
  }
  return { changes, unknown }
}

function imageOf(version: FileVersion | null): FileImage | null | undefined {
  if (version === null) return null
  const { kind, text, mode } = version
  return kind === 'symlink' || text === null ? undefined : { bytes: Buffer.from(text), mode }
}

export interface SidedFile extends Placement {
  readonly change: 'added' | 'changed' | 'deleted'
  /** Absent for product files, or if unapproved. */
  readonly allowedBy?: string
}

/** Lists a run's changed files with their side. @throws {SnapshotError} for an unknown baseline */
export async function listSidedFiles(
  source: TreesSource,
  runId: string,
  signal: AbortSignal,
): Promise<readonly SidedFile[]> {
  const { changes, sides, context } = await sidesOfRun(source, runId, new ContentDigests(fileReader), signal)
  const byPath = new Map(sides.checkSide.map((change) => [change.path, change]))
  return changes.flatMap(({ path, before, after }) => {
    const placement = sides.placements.get(path)
    if (placement === undefined) return []
    const open = byPath.get(path)
    const grant = open === undefined ? undefined : grantFor(open, context)
    return {
      ...placement,
      change: before === null ? 'added' : after === null ? 'deleted' : 'changed',
      ...(grant === undefined ? {} : { allowedBy: grant.by }),
    }
  })
}

export interface Permission {
  readonly runId: string
  readonly snapshotFolder: string
  /** Paths or globs to approve; empty: all pending. */
  readonly paths: readonly string[]
  readonly by: string
  readonly reason: string
}

/** Approves open check changes, this content only. @returns paths @throws {UsageError} if not open */
export function allowOpenChanges(permission: Permission): readonly string[] {
  const { runId, paths, by, reason } = permission
  const snapshots = openSnapshots(resolve(permission.snapshotFolder))
  const { open, allowed } = readMemory(snapshots, runId)
  if (open.length === 0)
    throw new UsageError(
      `nothing waits for authority in run ${runId}; "donecheck show ${runId}" tells how it ended`,
    )
  const unknown = paths.find((path) => !open.some((change) => matchesAny(change.path, [path])))
  if (unknown !== undefined)
    throw new UsageError(
      `${unknown} does not wait for authority in run ${runId}; what does: ${open.map(({ path }) => path).join(', ')}`,
    )
  const chosen = open.filter(({ path }) => paths.length === 0 || matchesAny(path, paths))
  const news = Object.fromEntries(chosen.map(({ key }) => [key, { by, reason }]))
  const rest = open.filter((change) => !chosen.includes(change))
  remember(snapshots, runId, { allowed: { ...allowed, ...news }, open: rest })
  return chosen.map(({ path }) => path)
}
