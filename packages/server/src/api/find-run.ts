/** A run that is asked for by its id. */
import type { RunEvent } from '@donecheck/core/events'
import { fold, type RunState } from '@donecheck/core/state'
import type { RunSummary, Store } from '@donecheck/engine/ports/store'
import { Problem } from './problem.ts'

/** @throws {Problem} where there is none */
export async function summaryOf(store: Store, runId: string): Promise<RunSummary> {
  const summary = await store.summary(runId)
  if (summary === undefined) throw noSuchRun(runId)
  return summary
}

/** @throws {Problem} where there is none, and for a record that cannot be read */
export async function recordOf(
  store: Store,
  runId: string,
): Promise<{ readonly events: readonly RunEvent[]; readonly state: RunState }> {
  const events = await store.read(runId)
  const state = fold(events)
  if (state === undefined) throw noSuchRun(runId)
  return { events, state }
}

function noSuchRun(runId: string): Problem {
  return new Problem(
    'not-found',
    `there is no run ${JSON.stringify(runId)}; GET /api/runs lists those that there are`,
  )
}
