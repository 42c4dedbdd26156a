import type { RunEvent } from '@donecheck/core/events'
import type { RunSummary, Store } from '@donecheck/engine/ports/store'
import { findRun } from '../../settings/recipe.ts'

/** What the work is compared with. */
export type Baseline =
  | { readonly kind: 'none' }
  /** A git revision: it is checked first, in a copy. */
  | { readonly kind: 'revision'; readonly revision: string }
  /** The run that `donecheck verify --as-baseline` recorded. */
  | { readonly kind: 'recorded'; readonly runId: string; readonly events: readonly RunEvent[] }

/** The task under which a baseline is recorded. */
export const baselineTask = 'baseline'

/** A recorded baseline where there is one of that name, else a git revision; `last` is the latest recorded one. */
export async function readBaseline(named: string | undefined, store: Store): Promise<Baseline> {
  if (named === undefined) return { kind: 'none' }
  const runId = await recordedBaseline(named, store)
  if (runId === undefined) return { kind: 'revision', revision: named }
  return { kind: 'recorded', runId, events: await store.read(runId) }
}

/** One that was interrupted, or could not be looked at, would compare with what was never seen. */
function isWhole(outcome: RunSummary['outcome']): boolean {
  return outcome === 'verified' || outcome === 'failed'
}

async function recordedBaseline(named: string, store: Store): Promise<string | undefined> {
  const baselines = (await store.list()).filter(
    ({ task, outcome }) => task === baselineTask && isWhole(outcome),
  )
  if (named === 'last') return baselines[0]?.runId
  const begins = baselines.filter(({ runId }) => runId.startsWith(named.toUpperCase()))
  // Short names are ambiguous with revisions: at least the length that `list` shows.
  return named.length >= 5 && begins.length > 0 ? await findRun(store, named) : undefined
}
