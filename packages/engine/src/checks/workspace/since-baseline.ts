/** What a run has made of its work folder, for people who look. */
import { resolve } from 'node:path'
import type { ChangeSet, FileImage } from '../../analysis/patch/index.ts'
import type { FileVersion } from '../../analysis/tamper/index.ts'
import { ContentDigests, fileReader } from './fingerprint/content-digests.ts'
import { changesSince } from './guard/compare/changes.ts'
import { openSnapshots } from './snapshot/snapshots.ts'
import { readTree } from './tree/read-tree.ts'

export interface SinceBaseline {
  /** Files that are text in both trees. */
  readonly changes: ChangeSet
  /** Paths that differ and cannot be shown: symlinks, large files, what is no text. */
  readonly unknown: readonly string[]
}

/**
 * The files of the work folder as they are now beside the baseline tree of the run.
 * @throws {SnapshotError} where that is not known, or a file cannot be read
 */
export async function changesSinceBaseline(
  { workFolder, snapshotFolder }: { readonly workFolder: string; readonly snapshotFolder: string },
  runId: string,
  signal: AbortSignal,
): Promise<SinceBaseline> {
  const snapshots = openSnapshots(resolve(snapshotFolder))
  const manifest = snapshots.load(runId)
  const tree = await readTree(workFolder, new ContentDigests(fileReader), signal)
  const all = changesSince(manifest, tree, workFolder, snapshots.objects).map(({ path, before, after }) => ({
    path,
    before: imageOf(before),
    after: imageOf(after),
  }))
  return {
    changes: all.flatMap(({ path, before, after }) =>
      before === undefined || after === undefined ? [] : [{ path, before, after }],
    ),
    unknown: all.flatMap(({ path, before, after }) =>
      before === undefined || after === undefined ? [path] : [],
    ),
  }
}

/** Undefined: it cannot be shown. */
function imageOf(version: FileVersion | null): FileImage | null | undefined {
  if (version === null) return null
  const { kind, text, mode } = version
  return kind === 'symlink' || text === null ? undefined : { bytes: Buffer.from(text), mode }
}
