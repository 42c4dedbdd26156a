import type { GuardedTree, VerifierReport } from '../../ports.ts'
import type { ProtectOptions } from '../../tamper/index.ts'
import { cleanCopy } from '../clean-copy/clean-copy.ts'
import type { ContentDigests } from '../content-digests.ts'
import type { TreeEntries } from '../read-tree.ts'
import type { Snapshots } from '../snapshot/snapshots.ts'
import type { TreeChange } from './changes.ts'
import type { TamperGuardOptions } from './options.ts'
import { passed } from './reports.ts'
import { restorationOf, variantOf } from './restoration.ts'
import type { BytePath } from '../byte-path.ts'
import type { OverlayFile } from '../clean-copy/overlay.ts'
import type { Ruling } from './rulings.ts'

/** What a guard is made of. */
export interface GuardParts {
  readonly options: TamperGuardOptions
  /** Its real path. */
  readonly workFolder: string
  readonly snapshots: Snapshots
  readonly digests: ContentDigests
  readonly protect: ProtectOptions
}

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

/** How installed packages come into a copy. */
export function dependenciesOf({ options }: Pick<GuardParts, 'options'>): 'link' | 'copy' | 'none' {
  return options.dependencies ?? 'link'
}

interface Examined {
  readonly rulings: readonly Ruling[]
  readonly changes: ReadonlyMap<string, TreeChange>
  readonly tree: TreeEntries
  readonly notes: readonly string[]
  /** Laid over the copy after everything else. Undefined: there is nothing. */
  readonly heldOut?: ReadonlyMap<BytePath, OverlayFile> | undefined
}

/** Nothing is refused: where the checks run, and what was put back for them. */
export async function treeToCheck(
  { rulings, changes, tree, notes, heldOut }: Examined,
  parts: GuardParts,
  signal: AbortSignal,
): Promise<GuardedTree> {
  const restoration = restorationOf(rulings, changes, parts.snapshots.objects, parts.protect)
  const isCopy = parts.options.checkIn === 'clean-copy' || heldOut !== undefined
  if (restoration === undefined && !isCopy)
    return asItIs(passed(reasonOf(rulings, []), rulings, notes), parts)
  const dependencies = dependenciesOf(parts)
  const copy = await cleanCopy(
    {
      folder: parts.workFolder,
      entries: [...tree.values()],
      overlay: new Map([...(restoration?.overlay ?? []), ...(heldOut ?? [])]),
      dependencies,
      git: true,
    },
    signal,
  )
  return {
    report: passed(reasonOf(rulings, restoration?.paths ?? []), rulings, notes),
    folder: copy.folder,
    kind: restoration === undefined ? 'clean-copy' : 'restored-copy',
    variant: `${restoration?.variant ?? 'clean-copy'}:${dependencies}${heldOut === undefined ? '' : `:${variantOf(heldOut)}`}`,
    dispose: () => copy.dispose(),
  }
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
