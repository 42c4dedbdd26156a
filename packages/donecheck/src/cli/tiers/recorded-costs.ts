/** What checks have cost so far, from the verdicts of the runs on record. */
import type { RunEvent } from '@donecheck/core/events'
import type { Verdict } from '@donecheck/core/verdicts'
import type { Store } from '@donecheck/engine/ports/store'
import { medianOf } from '../agent-hooks/doctor/pace.ts'
import type { CheckCost, CheckCosts } from './tier.ts'

/** The latest ones tell what a check costs today. */
const maxRuns = 50

/** Of the latest runs that were recorded here. What cannot be read of one is left out. */
export async function recordedCosts(store: Pick<Store, 'list' | 'readAsFar'>): Promise<CheckCosts> {
  const own = (await store.list()).filter(({ imported }) => imported !== true).slice(0, maxRuns)
  const verdicts: Verdict[] = []
  for (const { runId } of own) verdicts.push(...verdictsIn((await store.readAsFar(runId)).events))
  return costsOf(verdicts)
}

export function costsOf(verdicts: readonly Verdict[]): CheckCosts {
  const byCheck = Map.groupBy(verdicts.filter(wasAsked), ({ verifier }) => verifier)
  return new Map([...byCheck].map(([name, given]) => [name, costOf(given)]))
}

function verdictsIn(events: readonly RunEvent[]): readonly Verdict[] {
  return events.flatMap((event) =>
    event.type === 'verdict-given' || event.type === 'reply-judged' ? [event.verdict] : [],
  )
}

/** One that was taken again, or left out, tells nothing of the time. */
function wasAsked({ status, qualifiers }: Verdict): boolean {
  return status !== 'skipped' && status !== 'pending' && !qualifiers.includes('cached')
}

function costOf(verdicts: readonly Verdict[]): CheckCost {
  const prices = verdicts.flatMap(({ costUsd }) => costUsd ?? [])
  return {
    verdicts: verdicts.length,
    medianSeconds: medianOf(verdicts.map(({ durationMs }) => durationMs)) / 1000,
    medianCostUsd: prices.length === 0 ? null : medianOf(prices),
  }
}
