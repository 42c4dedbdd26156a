import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ProtectOptions } from '../../../../analysis/protect/index.ts'
import type { ContentDigests } from '../../fingerprint/content-digests.ts'
import type { TreeEntries } from '../../tree/read-tree.ts'
import { readWholeTree } from '../../tree/read-whole-tree.ts'
import type { Manifest } from '../../snapshot/manifest.ts'
import { openSnapshots, type Snapshots } from '../../snapshot/snapshots.ts'
import type { AuthorityContext } from '../authority/authority.ts'
import { changesSince, type TreeChange } from './changes.ts'
import { readMemory } from '../memory.ts'
import type { TamperGuardOptions } from '../options.ts'
import { readableTrees, splitBySide, type SidedChanges } from './sided-changes.ts'

/** Where the trees of a run are, and who may change what in them. */
export type TreesSource = Pick<
  TamperGuardOptions,
  'workFolder' | 'snapshotFolder' | 'snapshotRunId' | 'protect' | 'mayChange' | 'checkCommands' | 'waivers'
>

export interface SidesOfRun {
  readonly manifest: Manifest
  readonly tree: TreeEntries
  readonly snapshots: Snapshots
  readonly changes: readonly TreeChange[]
  readonly sides: SidedChanges
  readonly context: AuthorityContext
}

/**
 * What a run has changed until now, by side, read anew.
 * @throws {SnapshotError} where the baseline tree is not known, or a file cannot be read
 */
export async function sidesOfRun(
  source: TreesSource,
  runId: string,
  digests: ContentDigests,
  signal: AbortSignal,
): Promise<SidesOfRun> {
  const { protect = [], mayChange = [], checkCommands = [], waivers = [], snapshotRunId } = source
  const workFolder = realpathSync(resolve(source.workFolder))
  // Opened anew each time: the guard may have remembered another tree meanwhile.
  const snapshots = openSnapshots(resolve(source.snapshotFolder))
  const manifest = snapshots.load(snapshotRunId ?? runId)
  const scripts = Object.keys(manifest.watched.scripts)
  const { tree } = await readWholeTree(workFolder, scripts, digests, signal)
  const changes = changesSince(manifest, tree, workFolder, snapshots.objects)
  const options: ProtectOptions = { protect, mayChange, checkCommands }
  const sides = splitBySide(changes, readableTrees(manifest, tree, workFolder, snapshots.objects), options)
  const memory = readMemory(snapshots, runId)
  const context = { options: { waivers }, protect: options, memory, nowMs: Date.now() }
  return { manifest, tree, snapshots, changes, sides, context }
}
