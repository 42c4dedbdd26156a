import type { RunEvent } from '@donecheck/core/events'
import type { RunSummary, Store } from '@donecheck/engine/ports/store'
import { findRun } from '../../settings/recipe.ts'

export type Baseline =
  | { readonly kind: 'none' }
  | { readonly kind: 'revision'; readonly revision: string }
  /** Recorded by `donecheck verify --as-baseline`. */
  | { readonly kind: 'recorded'; readonly runId: string; readonly events: readonly RunEvent[] }

export const baselineTask = 'baseline'

/** Prefers a recorded baseline to a git revision of the same name. */
export async function readBaseline(named: string | undefined, store: Store): Promise<Baseline> {
  if (named === undefined) return { kind: 'none' }
  const runId = await recordedBaseline(named, store)
  if (runId === undefined) return { kind: 'revision', revision: named }
  return { kind: 'recorded', runId, events: await store.read(runId) }
}

/** An interrupted baseline proves nothing. */
function isWhole(outcome: RunSummary['outcome']): boolean {
  return outcome === 'verified' || outcome === 'failed'
}

async function recordedBaseline(named: string, store: Store): Promise<string | undefined> {
  const baselines = (await store.list()).filter(
    ({ task, outcome }) => task === baselineTask && isWhole(outcome),
  )
  if (named === 'last') return baselines[0]?.runId
  const begins = baselines.filter(({ runId }) => runId.startsWith(named.toUpperCase()))
  // Short prefixes could be revisions; this is the length that `list` shows.
  return named.length >= 5 && begins.length > 0 ? await findRun(store, named) : undefined
}
