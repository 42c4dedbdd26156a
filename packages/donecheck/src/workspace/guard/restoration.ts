import { hash } from 'node:crypto'
import { restoredText, type ProtectOptions, type TamperFinding } from '../../tamper/index.ts'
import type { BytePath } from '../byte-path.ts'
import type { OverlayFile } from '../clean-copy/overlay.ts'
import type { ObjectStore } from '../snapshot/object-store.ts'
import type { TreeChange } from './changes.ts'
import { ruledAs, type Ruling } from './rulings.ts'

export interface Restoration {
  readonly overlay: ReadonlyMap<BytePath, OverlayFile | null>
  /** Equal where the same content is put back. */
  readonly variant: string
  readonly paths: readonly string[]
}

/**
 * What is laid over the agent's files so that the checks are the agreed ones: of a manifest only its protected parts, of
 * everything else the whole earlier file; what was not there goes. Undefined: there is nothing to put back.
 * @throws {SnapshotError} for a damaged snapshot
 */
export function restorationOf(
  rulings: readonly Ruling[],
  changes: ReadonlyMap<string, TreeChange>,
  objects: ObjectStore,
  protect: ProtectOptions,
): Restoration | undefined {
  const overlay = new Map<BytePath, OverlayFile | null>()
  const paths = new Set<string>()
  const findings = ruledAs(rulings, 'restore').map(({ finding }) => finding)
  for (const finding of findings) {
    const change = changes.get(finding.path)
    if (change === undefined || paths.has(change.path)) continue
    const own = findings.filter(({ path }) => path === change.path)
    overlay.set(change.bytePath, restoredFile(change, own, objects, protect))
    paths.add(change.path)
  }
  return paths.size === 0 ? undefined : { overlay, variant: variantOf(overlay), paths: [...paths].sort() }
}

function restoredFile(
  change: TreeChange,
  findings: readonly TamperFinding[],
  objects: ObjectStore,
  protect: ProtectOptions,
): OverlayFile | null {
  const text = restoredText(change, protect, findings)
  if (text !== null) {
    const mode = (change.before ?? change.after)?.mode ?? 0o644
    return { kind: 'file', content: Buffer.from(text), mode }
  }
  const { before, earlier } = change
  if (before === null || earlier === undefined) return null
  return { kind: before.kind, content: objects.get(earlier.digest), mode: before.mode }
}

/** Equal where equal files are laid over a copy. */
export function variantOf(overlay: Restoration['overlay']): string {
  const lines = [...overlay].map(([path, file]) =>
    file === null ? `${path}\0gone` : `${path}\0${file.kind}\0${file.mode}\0${hash('sha256', file.content)}`,
  )
  return `restored:${hash('sha256', lines.sort().join('\0\0'))}`
}
