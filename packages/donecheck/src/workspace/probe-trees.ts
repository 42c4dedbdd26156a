import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../errors.ts'
import type { ProbeChange, ProbeTrees } from '../ports.ts'
import {
  mayChange,
  protectionOf,
  type FileVersion,
  type Protection,
  type ProtectOptions,
} from '../tamper/index.ts'
import { bytePathOfText, type BytePath } from './byte-path.ts'
import { cleanCopy } from './clean-copy/clean-copy.ts'
import type { Dependencies } from './clean-copy/dependencies.ts'
import type { OverlayFile } from './clean-copy/overlay.ts'
import { ContentDigests, fileReader } from './content-digests.ts'
import { changesSince, type TreeChange } from './guard/changes.ts'
import { readTree, type TreeEntries } from './read-tree.ts'
import { openSnapshots } from './snapshot/snapshots.ts'

export interface ProbeTreesOptions {
  readonly workFolder: string
  /** The one of the tamper guard, which remembers the untouched tree there. */
  readonly snapshotFolder: string
  /** The snapshot was taken under this run's id. Default: at the start of the run itself. */
  readonly snapshotRunId?: string
  /** Installed packages in a copy. Default `link`. */
  readonly dependencies?: Dependencies
  /** Globs: these files belong to the checks, beside those that do so by convention. */
  readonly protect?: readonly string[]
  /** Globs: what the drive may change. A test stays a test all the same. */
  readonly mayChange?: readonly string[]
  /** Command lines of the checks, whose scripts belong to them. */
  readonly checkCommands?: readonly string[]
}

/**
 * Trees for the power probe, over the snapshot of the tamper guard. A file of which one side is no text (a symlink, a
 * binary, longer than 1 MiB, not kept) has no text on either side. The copies are of the work tree as it is, with the
 * drive's own tests in it.
 */
export function probeTrees(options: ProbeTreesOptions): ProbeTrees {
  const workFolder = realpathSync(resolve(options.workFolder))
  const digests = new ContentDigests(fileReader)
  const modes = new Map<BytePath, number>()
  return {
    async changes(runId, signal) {
      // Opened anew each time: the guard may have remembered another tree meanwhile.
      const snapshots = openSnapshots(resolve(options.snapshotFolder))
      const manifest = snapshots.load(options.snapshotRunId ?? runId)
      const tree = await readTree(workFolder, digests, signal)
      digests.keepOnly(tree)
      for (const { path, mode } of manifest.entries) modes.set(path, mode)
      return changesSince(manifest, tree, workFolder, snapshots.objects).map((change) =>
        probeChange(change, protectOptions(options)),
      )
    },
    async copy(overlay, signal) {
      const tree = await readTree(workFolder, digests, signal)
      const { dependencies = 'link' } = options
      return cleanCopy(
        {
          folder: workFolder,
          entries: [...tree.values()],
          overlay: overlayOf(overlay, tree, modes),
          dependencies,
          git: true,
        },
        signal,
      )
    },
  }
}

function protectOptions({
  protect = [],
  mayChange = [],
  checkCommands = [],
}: ProbeTreesOptions): ProtectOptions {
  return { protect, mayChange, checkCommands }
}

function probeChange(change: TreeChange, options: ProtectOptions): ProbeChange {
  const { path, before, after, bytePath } = change
  // Another file would be named where the name itself is no text.
  const isText = [before, after].every(isTextual) && bytePathOfText(path) === bytePath
  const sides = isText
    ? { before: before?.text ?? null, after: after?.text ?? null }
    : { before: null, after: null }
  return { path, ...sides, isProtected: belongsToChecks(path, options) }
}

function isTextual(version: FileVersion | null): boolean {
  return version === null || (version.kind === 'file' && version.text !== null)
}

/** A place where tests usually are may hold work as well, when it was given to the drive; a test is none whoever may edit it. */
const maybeWork: readonly Protection[] = ['test-helper', 'check-script', 'extra']

function belongsToChecks(path: string, options: ProtectOptions): boolean {
  const kind = protectionOf(path, { ...options, mayChange: [] })
  return kind !== undefined && !(maybeWork.includes(kind) && mayChange(path, options))
}

function overlayOf(
  overlay: ReadonlyMap<string, string | null>,
  tree: TreeEntries,
  modes: ReadonlyMap<BytePath, number>,
): ReadonlyMap<BytePath, OverlayFile | null> {
  return new Map(
    [...overlay].map(([path, text]): readonly [BytePath, OverlayFile | null] => {
      assertInside(path)
      const bytePath = bytePathOfText(path)
      const mode = tree.get(bytePath)?.mode ?? modes.get(bytePath) ?? 0o644
      return [bytePath, text === null ? null : { kind: 'file', content: Buffer.from(text), mode }]
    }),
  )
}

function assertInside(path: string): void {
  if (path !== '' && path.split('/').every((part) => !['', '.', '..'].includes(part))) return
  throw new UsageError(
    `"${path}" is no path inside the work folder; give one that is relative to it, with / between its parts`,
  )
}
