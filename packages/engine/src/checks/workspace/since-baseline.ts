/** What a run has made of its work folder, for people who look. */
import { resolve } from 'node:path'
import type { ChangedFile, FileImage } from '../../analysis/patch/index.ts'
import type { FileVersion } from '../../analysis/tamper/index.ts'
import { ContentDigests, fileReader } from './fingerprint/content-digests.ts'
import { changesSince } from './guard/compare/changes.ts'
import type { TreeDifference } from './kept-trees.ts'
import { openSnapshots } from './snapshot/snapshots.ts'
import { readTree } from './tree/read-tree.ts'

/**
 * The files of the work folder as they are now beside the baseline tree of the run.
 * @throws {SnapshotError} where that is not known, or a file cannot be read
 */
export async function changesSinceBaseline(
  { workFolder, snapshotFolder }: { readonly workFolder: string; readonly snapshotFolder: string },
  runId: string,
  signal: AbortSignal,
): Promise<TreeDifference> {
  const snapshots = openSnapshots(resolve(snapshotFolder))
  const manifest = snapshots.load(runId)
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

/** Undefined: it cannot be shown. */
function imageOf(version: FileVersion | null): FileImage | null | undefined {
  if (version === null) return null
  const { kind, text, mode } = version
  return kind === 'symlink' || text === null ? undefined : { bytes: Buffer.from(text), mode }
}
