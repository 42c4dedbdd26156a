/** A part of another run: it begins with the tree that its parent had, and its parent takes its changes over. */
import type { RunEvent } from '@donecheck/core/events'
import type { Store } from '@donecheck/engine/ports/store'
import { latestSnapshot, packPatch, patchOf, startOf, type Delivery, type KeptStart } from './kept.ts'
import type { LaidOver, WorkTree } from './work-tree.ts'

export type PartLaid =
  | LaidOver
  | { readonly kind: 'unchanged' }
  /** It has worked in this very folder. */
  | { readonly kind: 'in-place' }

/** The tree as it is now, for a part to begin with. */
export async function startFor(tree: WorkTree, parent: string): Promise<KeptStart> {
  const now = await tree.readTree()
  return { parent, patch: packPatch(await tree.patchTo(now.tree)) }
}

/** Lays what the part has changed over the tree as it is now. Done again, it is the same. */
export async function layPart(tree: WorkTree, store: Store, runId: string): Promise<PartLaid> {
  const start = await startOf(store, runId)
  const found = await latestSnapshot(store, runId)
  if (start === undefined || found === undefined) return { kind: 'unchanged' }
  const patch = patchOf(found)
  return patch.length === 0 ? { kind: 'unchanged' } : tree.layOver(patchOf(start), patch)
}

/** Nothing of a part is pushed. */
export function takenOverBy({ parent }: KeptStart): Delivery {
  return { kind: 'patch', reason: `it is a part of run ${parent}, which takes it over` }
}

/** Parts whose changes were taken over after that event. */
export function partsSince(events: readonly RunEvent[], sequence: number): readonly string[] {
  const parts = new Set(
    events.flatMap((event) =>
      event.type === 'sub-run-started' && event.elsewhere === true ? [event.childRunId] : [],
    ),
  )
  return events
    .slice(sequence)
    .flatMap((event) =>
      event.type === 'sub-run-ended' && parts.has(event.childRunId) ? [event.childRunId] : [],
    )
}
