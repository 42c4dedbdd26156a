import type { GuardedTree, VerifierReport } from '../../ports.ts'
import { cleanCopy } from '../clean-copy/clean-copy.ts'
import type { TreeEntries } from '../read-tree.ts'
import type { TreeChange } from './changes.ts'
import { laidInCopy, laidInPlace, type AgreedFile, type Stamps } from './agreed-files.ts'
import { distrustNotes, hasDistrusted, withoutCaches } from './distrust.ts'
import { dependenciesOf, type GuardParts } from './parts.ts'
import { recheck, type BeforeChecks } from './recheck.ts'
import { passed } from './reports.ts'
import { restorationOf, variantOf } from './restoration.ts'
import type { BytePath } from '../byte-path.ts'
import type { OverlayFile } from '../clean-copy/overlay.ts'
import type { Ruling } from './rulings.ts'

/** The work folder itself, with nothing to end. */
export function asItIs(report: VerifierReport, { options }: Pick<GuardParts, 'options'>): GuardedTree {
  return {
    report,
    folder: options.workFolder,
    kind: 'work-folder',
    variant: 'work-folder',
    dispose: () => Promise.resolve(),
  }
}

interface Examined {
  readonly rulings: readonly Ruling[]
  readonly changes: ReadonlyMap<string, TreeChange>
  readonly tree: TreeEntries
  readonly notes: readonly string[]
  /** Laid over the copy after everything else. Undefined: there is nothing. */
  readonly heldOut?: ReadonlyMap<BytePath, OverlayFile> | undefined
  readonly watch: Watch
  /** Caches without which the checks run. */
  readonly distrusted?: readonly string[]
}

/** What is needed to look again after the checks. */
export interface Watch extends Omit<BeforeChecks, 'laid'> {
  readonly agreed: readonly AgreedFile[]
  /** Of these in the work folder. */
  readonly stamps: Stamps
}

/** A tree that is looked at again after the checks. @param overlay what lies over it, where it is a copy */
export function watched(
  tree: GuardedTree,
  { agreed, stamps, ...before }: Watch,
  parts: GuardParts,
  overlay: ReadonlyMap<BytePath, OverlayFile | null> = new Map(),
): GuardedTree {
  const entries = before.seen.tree
  const laid = [
    laidInPlace(parts.workFolder, agreed, stamps, entries),
    ...(tree.kind === 'work-folder' ? [] : [laidInCopy(tree.folder, agreed, entries, overlay)]),
  ]
  return { ...tree, recheck: (signal) => recheck({ ...before, laid }, parts, signal) }
}

/** Nothing is refused: where the checks run, and what was put back for them. */
export async function treeToCheck(
  { rulings, changes, tree, notes: others, heldOut, watch, distrusted = [] }: Examined,
  parts: GuardParts,
  signal: AbortSignal,
): Promise<GuardedTree> {
  const restoration = restorationOf(rulings, changes, parts.snapshots.objects, parts.protect)
  const isAsked = parts.options.checkIn === 'clean-copy' || heldOut !== undefined
  const isDistrusting = distrusted.length > 0
  const notes = [...others, ...distrustNotes(distrusted)]
  if (restoration === undefined && !isAsked && !isDistrusting)
    return watched(asItIs(passed(reasonOf(rulings, []), rulings, notes), parts), watch, parts)
  const dependencies = dependenciesOf(parts)
  const isLeaner = restoration === undefined && !isAsked
  const overlay = new Map([...(restoration?.overlay ?? []), ...(heldOut ?? [])])
  const copy = await cleanCopy(
    {
      folder: parts.workFolder,
      entries: [...(isDistrusting ? withoutCaches(tree, watch.manifest) : tree).values()],
      overlay,
      dependencies,
      git: true,
      // Only for the caches: all else is as it is in the work folder.
      ...(isLeaner ? { ignored: (path: string) => !hasDistrusted(path, distrusted) } : {}),
    },
    signal,
  )
  const made: GuardedTree = {
    report: passed(reasonOf(rulings, restoration?.paths ?? []), rulings, notes),
    folder: copy.folder,
    kind: restoration === undefined ? 'clean-copy' : 'restored-copy',
    variant: `${restoration?.variant ?? (isLeaner ? 'without-caches' : 'clean-copy')}:${dependencies}${heldOut === undefined ? '' : `:${variantOf(heldOut)}`}`,
    dispose: () => copy.dispose(),
  }
  return watched(made, watch, parts, overlay)
}

const shownPaths = 5

function reasonOf(rulings: readonly Ruling[], restored: readonly string[]): string {
  if (restored.length > 0) {
    const more = restored.length > shownPaths ? ` and ${restored.length - shownPaths} more` : ''
    return `changed checks were put back in a copy for this verification: ${restored.slice(0, shownPaths).join(', ')}${more}`
  }
  return rulings.length === 0
    ? 'nothing that is protected was changed'
    : `nothing that matters was changed; noted: ${rulings.length}`
}
