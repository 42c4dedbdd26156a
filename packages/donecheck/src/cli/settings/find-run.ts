import { UsageError } from '@donecheck/engine/base'
import type { RunSummary, Store } from '@donecheck/engine/ports/store'

/** The id of the run whose id begins so; `last` is the latest. @throws {UsageError} for none or several */
export async function findRun(store: Store, wanted: string): Promise<string> {
  const { runId } = await findSummary(store, wanted)
  return runId
}

/** @throws {UsageError} for none or several */
export async function findSummary(store: Store, wanted: string): Promise<RunSummary> {
  if (wanted.trim() === '')
    throw new UsageError('the id of the run is empty; "donecheck list" shows what is there')
  const runs = await store.list()
  if (wanted === 'last') {
    const [latest] = runs
    if (latest === undefined) throw new UsageError(`there are no runs in ${store.place}`)
    return latest
  }
  const found = runs.filter(({ runId }) => runId.startsWith(wanted.toUpperCase()) || runId.startsWith(wanted))
  const [only] = found
  if (only === undefined)
    throw new UsageError(
      `there is no run ${wanted} in ${store.place}; "donecheck list" shows what is there${ofFleet(store, wanted)}`,
    )
  if (found.length > 1)
    throw new UsageError(`${wanted} could be ${someOf(found.map(({ runId }) => runId))}; give more of the id`)
  return only
}

/** A run of a fleet has no record before it has begun. */
function ofFleet({ place }: Store, wanted: string): string {
  return place.startsWith('postgres')
    ? `, "donecheck fleet status ${wanted}" where it is if a fleet has it`
    : ''
}

const maxShown = 5

function someOf(ids: readonly string[]): string {
  const more = ids.length - maxShown
  return ids.slice(0, maxShown).join(' or ') + (more > 0 ? ` or one of ${more} more` : '')
}
