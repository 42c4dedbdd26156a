import { heldOutOverlay, canBePutBack, overlayOf, type Overlay } from './guard/trees/independent-tree.ts'
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError, assertKnownKeys, optionKeys } from '../../base/index.ts'
import type { ProbeChange, ProbeTrees } from '../../ports/checks.ts'
import { protectionOf } from '../../analysis/protect/index.ts'
import { isProductSource, startedByChecks } from '../../analysis/sides/index.ts'
import type { FileVersion } from '../../analysis/tamper/index.ts'
import { bytePathOfText, textOf, type BytePath } from './tree/tree-entry.ts'
import { cleanCopy } from './clean-copy/clean-copy.ts'
import type { Dependencies } from './clean-copy/dependencies.ts'
import type { OverlayFile } from './clean-copy/write-files.ts'
import { ContentDigests, fileReader } from './fingerprint/content-digests.ts'
import { findEditableInstall } from './editable-install.ts'
import { openOf } from './guard/authority/authority.ts'
import type { TreeChange } from './guard/compare/changes.ts'
import { readableTree, sidesOfRun, type TreesSource } from './guard/compare/sided-changes.ts'
import { readTree, type TreeEntries } from './tree/read-tree.ts'

export interface ProbeTreesOptions extends TreesSource {
  /** Installed packages in a copy. Default `link`. */
  readonly dependencies?: Dependencies
  /** A folder that is laid over copies for the held-out checks. */
  readonly heldOutFiles?: string
}

const probeTreesKeys = optionKeys<ProbeTreesOptions>()(`
  dependencies heldOutFiles workFolder! snapshotFolder! snapshotRunId protect mayChange checkCommands waivers
`)

/**
 * Trees for the power probe, over the snapshot of the tamper guard. A file of which one side is no text (a symlink, a
 * binary, longer than 1 MiB, not kept) has no text on either side. Once the changes of a run are known, the copies are of its
 * independent tree: whatever answers for the check from the drive's own check side is not in them.
 */
export function probeTrees(options: ProbeTreesOptions): ProbeTrees {
  assertKnownKeys(options, probeTreesKeys, 'probeTrees')
  const workFolder = realpathSync(resolve(options.workFolder))
  const { dependencies = 'link', heldOutFiles } = options
  const digests = new ContentDigests(fileReader)
  const modes = new Map<BytePath, number>()
  let undone: Overlay = new Map()
  const copyWith =
    (laid: () => Overlay): ProbeTrees['copy'] =>
    async (faults, signal) => {
      const tree = await readTree(workFolder, digests, signal)
      const overlay = new Map([...undone, ...laid(), ...faultsIn(faults, tree, modes)])
      return cleanCopy({ folder: workFolder, entries: [...tree.values()], overlay, dependencies }, signal)
    }
  return {
    async changes(runId, signal) {
      const { manifest, snapshots, changes, sides, context } = await sidesOfRun(
        options,
        runId,
        digests,
        signal,
      )
      for (const { path, mode } of manifest.entries) modes.set(path, mode)
      const open = openOf(sides.checkSide, context)
      undone = overlayOf(open.filter(canBePutBack), snapshots.objects)
      const product = new Set(sides.product.map(({ path }) => path))
      return changes.map((change) => probeChange(change, !product.has(change.path)))
    },
    async product(line, signal) {
      const tree = await readTree(workFolder, digests, signal)
      const { protect = [], checkCommands = [] } = options
      const lines = [...new Set([...checkCommands, line])]
      const ofChecks = { protect, mayChange: [], checkCommands: lines }
      const started = startedByChecks(lines, readableTree(tree, workFolder))
      return textPaths(tree)
        .filter((path) => !started.has(path) && protectionOf(path, ofChecks) === undefined)
        .filter((path) => !isHidden(path))
        .map((path) => ({ path, isSource: isProductSource(path) }))
    },
    findEditableInstall: () => findEditableInstall(workFolder),
    copy: copyWith(() => new Map()),
    ...(heldOutFiles === undefined
      ? {}
      : { heldOutCopy: copyWith(() => heldOutOverlay(realpathSync(heldOutFiles))) }),
  }
}

/** @param isProtected it belongs to the checks */
function probeChange({ path, before, after, bytePath }: TreeChange, isProtected: boolean): ProbeChange {
  // Another file would be named where the name itself is no text.
  const isText = [before, after].every(isTextual) && bytePathOfText(path) === bytePath
  const sides = isText
    ? { before: before?.text ?? null, after: after?.text ?? null }
    : { before: null, after: null }
  return { path, ...sides, isProtected }
}

function textPaths(tree: TreeEntries): readonly string[] {
  return [...tree.keys()].flatMap((bytePath) => {
    const path = textOf(bytePath)
    return bytePathOfText(path) === bytePath ? [path] : []
  })
}

/** Settings of tools, by the usual convention. */
function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.'))
}

function isTextual(version: FileVersion | null): boolean {
  return version === null || (version.kind === 'file' && version.text !== null)
}

function faultsIn(
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
