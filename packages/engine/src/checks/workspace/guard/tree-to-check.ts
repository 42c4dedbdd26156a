import type { GuardedTree, GuardRequest, VerifierResult } from '../../../ports/checks.ts'
import { conventionOf, protectionOf } from '../../../analysis/protect/index.ts'
import { asksForChance } from '../../../analysis/tamper/index.ts'
import {
  type OverlayFile,
  type TreeEntries,
  textOf,
  type BytePath,
  isCache,
} from '../../../system/trees/index.ts'
import type { Manifest } from '../snapshots.ts'
import { grantsOf, openOf, contextOf } from './authority.ts'
import { decidingRun } from './deciding-run.ts'
import { passedReport, type Ruling } from './findings.ts'
import { canBePutBack, overlayOf, variantOf } from './independent-tree.ts'
import type { GuardParts } from './options.ts'
import type { CheckSideChange, SidedChanges, Trees } from './sided-changes.ts'

/** Uses the work folder itself; there is nothing to dispose. */
export function asItIs(report: VerifierResult, { options }: Pick<GuardParts, 'options'>): GuardedTree {
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
  readonly sides: SidedChanges
  readonly trees: Trees
  readonly notes: readonly string[]
  /** Overlay applied last; undefined without held-out files. */
  readonly heldOut?: ReadonlyMap<BytePath, OverlayFile> | undefined
  readonly request: GuardRequest
  readonly manifest: Manifest
  readonly tree: TreeEntries
  readonly reason?: string
}

/** Chooses where checks run and what they are compared with. */
export function treeToCheck(examined: Examined, parts: GuardParts): GuardedTree {
  const { rulings, sides, trees, notes, heldOut: hidden = new Map<BytePath, OverlayFile>() } = examined
  const { request, manifest, tree } = examined
  const context = contextOf(parts, request.runId)
  const granted = grantsOf(sides.checkSide, context)
  const open = openOf(sides.checkSide, context)
  const room = parts.rooms.open(parts.options.snapshotRunId ?? request.runId)
  const deciding = decidingRun({
    parts,
    request,
    isBaseline: request.trigger === 'baseline',
    changes: sides.checkSide,
    sides,
    trees,
    tree: withoutCaches(tree, manifest),
    room,
    heldOut: hidden,
    mayInstall: [...sides.placements.keys()].some(saysWhatIsInstalled),
    locks: lockDigests(tree, manifest, parts),
  })
  const undone = overlayOf([...open, ...sides.unsure].filter(canBePutBack), parts.snapshots.objects)
  const mayBeGone =
    open.length + sides.unsure.length > 0
      ? 'any'
      : granted.length === 0
        ? undefined
        : granted.map(([path]) => path)
  return {
    ...asItIs(passedReport(examined.reason ?? reasonOf(open), { rulings, granted, notes }), parts),
    variant: `decided:${parts.options.checkIn ?? 'auto'}:${variantOf(new Map([...undone, ...hidden]))}`,
    mayVary: sides.product.some(({ before, after }) => asksForChance(before?.text ?? '', after?.text ?? '')),
    mayBeGone,
    deciding,
    dispose: () => room.close(),
  }
}

function reasonOf(open: readonly CheckSideChange[]): string {
  if (open.length === 0) return 'no test or check file was changed'
  const files = open.length === 1 ? '1 file' : `${open.length} files`
  return `${files} of the check files changed: what is green must be green without that, too`
}

/** Drops caches created after the start. */
function withoutCaches(tree: TreeEntries, manifest: Manifest): TreeEntries {
  const agreed = new Map(manifest.entries.map(({ path, digest }) => [path, digest]))
  return new Map(
    [...tree].filter(([path, { digest }]) => !isCache(textOf(path)) || agreed.get(path) === digest),
  )
}

function saysWhatIsInstalled(path: string): boolean {
  return ['manifest', 'lock'].includes(conventionOf(path) ?? '')
}

/** Digests of earlier lock files. A check may write new ones, which needs no recalibration. */
function lockDigests(tree: TreeEntries, manifest: Manifest, { protect }: GuardParts): readonly string[] {
  const earlier = new Set(manifest.entries.map(({ path }) => path))
  return [...tree.values()]
    .filter(
      ({ path }) => earlier.has(path) && protectionOf(textOf(path), { ...protect, mayChange: [] }) === 'lock',
    )
    .map(({ digest }) => digest)
}
