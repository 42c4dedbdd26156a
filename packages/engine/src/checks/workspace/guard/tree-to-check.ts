import type { GuardedTree, VerifierReport } from '../../../ports/checks.ts'
import { type BytePath, textOf } from '../tree/tree-entry.ts'
import { cleanCopy, type CleanCopy, type OverlayFile } from '../copies/clean-copy.ts'
import { grantsOf, openOf, contextOf } from './authority.ts'
import { independentTree, type Confirmation } from './confirmation.ts'
import {
  canBePutBack,
  layIndependentTree,
  markCopy,
  overlayOf,
  variantOf,
  type Overlay,
} from './independent-tree.ts'
import { asksForChance } from '../../../analysis/tamper/index.ts'
import { dependenciesOf, type GuardParts, listPaths } from './options.ts'
import { recheck, type BeforeChecks, foldersOf } from './recheck.ts'
import { passedReport, type Ruling } from './findings.ts'
import type { CheckSideChange, SidedChanges, Trees } from './sided-changes.ts'
import type { CheckFolder } from '../tree/steady.ts'
import { given } from '../../../base/index.ts'
import type { TreeEntries } from '../tree/read-tree.ts'
import type { Manifest } from '../snapshots.ts'
import { isCache, lookAtCaches, writtenCaches, type CacheStamps } from '../watch/caches.ts'

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

/** What is known before the checks, but for what is laid for them. */
type Watch = Omit<BeforeChecks, 'laid' | 'isInPlace'>

interface Examined {
  readonly rulings: readonly Ruling[]
  readonly sides: SidedChanges
  readonly trees: Trees
  readonly notes: readonly string[]
  /** Laid over the copy after everything else. Undefined: there is nothing. */
  readonly heldOut?: ReadonlyMap<BytePath, OverlayFile> | undefined
  readonly watch: Watch
  /** Caches without which the checks run. */
  readonly distrusted?: readonly string[]
}

/** Nothing is refused: where the checks run, and what they are compared with. */
export async function treeToCheck(
  examined: Examined,
  parts: GuardParts,
  signal: AbortSignal,
): Promise<GuardedTree> {
  const { rulings, sides, trees, notes, heldOut, watch, distrusted = [] } = examined
  const { request } = watch
  const context = contextOf(parts, request.runId)
  const granted = grantsOf(sides.checkSide, context)
  const open = openOf(sides.checkSide, context)
  const copies = new Copies(watch, parts)
  const isLast = request.trigger === 'held-out' && (heldOut !== undefined || open.length > 0)
  const place = isLast
    ? await copies.independent(open, heldOut ?? new Map(), signal)
    : await deliveredPlace(copies, distrusted, parts, signal)
  const tree: GuardedTree = {
    report: passedReport(reasonOf(open), {
      rulings,
      granted,
      notes: [...notes, ...distrustNotes(distrusted)],
    }),
    ...place,
    mayVary: sides.product.some(({ before, after }) => asksForChance(before?.text ?? '', after?.text ?? '')),
    recheck: (within) =>
      recheck({ ...watch, laid: copies.laid, isInPlace: place.kind === 'work-folder' }, parts, within),
    dispose: () => copies.dispose(),
  }
  if (isLast || open.length + sides.unsure.length === 0)
    return granted.length === 0 ? tree : { ...tree, mayBeGone: granted.map(([path]) => path) }
  const lay: Confirmation['lay'] = async (undone, overlay, within) =>
    (await copies.independent(undone, overlay, within)).folder
  return {
    ...tree,
    variant: `${place.variant}:${variantOf(overlayOf(open, parts.snapshots.objects))}`,
    mayBeGone: 'any',
    independent: independentTree({ parts, request, changes: sides.checkSide, sides, trees, lay }),
  }
}

type Place = Pick<GuardedTree, 'folder' | 'kind' | 'variant'>

async function deliveredPlace(
  copies: Copies,
  distrusted: readonly string[],
  parts: GuardParts,
  signal: AbortSignal,
): Promise<Place> {
  if (parts.options.checkIn === 'clean-copy') return copies.cleanPlace(undefined, signal)
  if (distrusted.length === 0)
    return { folder: parts.options.workFolder, kind: 'work-folder', variant: 'work-folder' }
  // Only for the caches: all else is as it is in the work folder.
  return copies.cleanPlace((path) => !hasDistrusted(path, distrusted), signal)
}

/** The copies of one verification, each made once, and ended together. */
class Copies {
  readonly #watch: Watch
  readonly #parts: GuardParts
  readonly #copies = new Map<string, Promise<CleanCopy>>()
  readonly laid: CheckFolder[]

  constructor(watch: Watch, parts: GuardParts) {
    this.#watch = watch
    this.#parts = parts
    this.laid = [watch.seen.inPlace]
  }

  /** The files of held-out checks are laid over all else. */
  async independent(
    undone: readonly CheckSideChange[],
    heldOut: Overlay,
    signal: AbortSignal,
  ): Promise<Place> {
    const { manifest, seen } = this.#watch
    const { snapshots } = this.#parts
    const overlay = new Map([...overlayOf(undone.filter(canBePutBack), snapshots.objects), ...heldOut])
    const tree = withoutCaches(seen.tree, manifest)
    const variant = `independent:${variantOf(overlay)}:${dependenciesOf(this.#parts)}`
    const copy = await this.#keep(variant, async () => {
      const made = await layIndependentTree(tree, overlay, this.#parts, signal)
      this.laid.push(await markCopy(made.folder, tree, overlay, signal))
      return made
    })
    return { folder: copy.folder, kind: undone.length === 0 ? 'clean-copy' : 'independent-tree', variant }
  }

  /** @param ignored which ignored files come along; undefined: none, not even those that decide checks */
  async cleanPlace(ignored: ((path: string) => boolean) | undefined, signal: AbortSignal): Promise<Place> {
    const { workFolder } = this.#parts
    const { manifest, seen } = this.#watch
    const tree =
      ignored === undefined
        ? new Map([...seen.tree].filter(([path]) => !seen.ignored.has(path)))
        : withoutCaches(seen.tree, manifest)
    const dependencies = dependenciesOf(this.#parts)
    const variant = ignored === undefined ? 'clean-copy' : 'without-caches'
    const laid = { folder: workFolder, entries: [...tree.values()], overlay: new Map(), dependencies }
    const request = { ...laid, ...given({ ignored }) }
    const copy = await this.#keep(variant, () => cleanCopy(request, signal))
    this.laid.push(await markCopy(copy.folder, tree, new Map(), signal))
    return { folder: copy.folder, kind: 'clean-copy', variant: `${variant}:${dependencies}` }
  }

  async dispose(): Promise<void> {
    const copies = await Promise.allSettled(this.#copies.values())
    for (const copy of copies) if (copy.status === 'fulfilled') await copy.value.dispose()
  }

  #keep(variant: string, make: () => Promise<CleanCopy>): Promise<CleanCopy> {
    const known = this.#copies.get(variant)
    if (known !== undefined) return known
    const made = make()
    this.#copies.set(variant, made)
    return made
  }
}

function reasonOf(open: readonly CheckSideChange[]): string {
  if (open.length === 0) return 'no test or check file was changed'
  const files = open.length === 1 ? '1 file' : `${open.length} files`
  return `${files} of the check side changed: what is green must be green without that, too`
}

/**
 * Caches that somebody else than the checks may have written: a tool would believe them over the sources.
 * @param trusted undefined after a resume: whatever was written since the run began is not trusted then
 */
export async function findDistrustedCaches(
  workFolder: string,
  tree: TreeEntries,
  manifest: Manifest,
  trusted: CacheStamps | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const now = await lookAtCaches(workFolder, foldersOf(tree), signal)
  const written = writtenCaches(trusted ?? new Map(), now)
  return trusted === undefined
    ? written.filter((path) => changedAtMs(now.get(path)) >= manifest.takenAtMs)
    : written
}

function changedAtMs(stamp: string | undefined): number {
  const changedNs = stamp?.split(' ')[3]
  return changedNs === undefined ? 0 : Number(BigInt(changedNs) / 1_000_000n)
}

/** The tree without caches that came after the start. */
function withoutCaches(tree: TreeEntries, manifest: Manifest): TreeEntries {
  const agreed = new Map(manifest.entries.map(({ path, digest }) => [path, digest]))
  return new Map(
    [...tree].filter(([path, { digest }]) => !isCache(textOf(path)) || agreed.get(path) === digest),
  )
}

function distrustNotes(caches: readonly string[]): readonly string[] {
  if (caches.length === 0) return []
  return [
    `caches were written since the checks last ran (${listPaths(caches, 3)}): the checks run in a copy without them`,
  ]
}

/** Whether a file or folder is one of these, holds one, or is another cache. */
function hasDistrusted(path: string, caches: readonly string[]): boolean {
  return isCache(`${path}/x`) || isCache(path) || caches.some((cache) => cache.startsWith(`${path}/`))
}
