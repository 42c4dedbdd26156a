/** Which changed file stands on which side, and why; and what a person allows. */
import { resolve } from 'node:path'
import { UsageError } from '../../base/index.ts'
import { matchesAny } from '../../analysis/protect/index.ts'
import type { Placement } from '../../analysis/sides/index.ts'
import { ContentDigests, fileReader } from './fingerprint/content-digests.ts'
import { grantFor } from './guard/authority/authority.ts'
import { readMemory, remember } from './guard/memory.ts'
import { sidesOfRun, type TreesSource } from './guard/compare/sided-changes.ts'
import { openSnapshots } from './snapshot/snapshots.ts'

export interface ExplainedFile extends Placement {
  readonly change: 'added' | 'changed' | 'deleted'
  /** Who has allowed it. Absent: it is product, or nobody has. */
  readonly allowedBy?: string
}

/** Every changed file of a run as its trees are now. @throws {SnapshotError} where the baseline tree is not known */
export async function explainTrees(
  source: TreesSource,
  runId: string,
  signal: AbortSignal,
): Promise<readonly ExplainedFile[]> {
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
  /** Paths or globs of what is allowed. None: all that waits. */
  readonly paths: readonly string[]
  readonly by: string
  readonly reason: string
}

/**
 * Allows by name what waits for authority in a run that nobody holds; it holds for these contents alone.
 * @returns the paths that are allowed now
 * @throws {UsageError} for a path that does not wait
 */
export function allowOpenChanges({
  runId,
  snapshotFolder,
  paths,
  by,
  reason,
}: Permission): readonly string[] {
  const snapshots = openSnapshots(resolve(snapshotFolder))
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
